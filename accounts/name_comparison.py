"""Which names are the same, which look the same, and which a search finds.

Å, ä and ö are letters of their own: "Åsa" and "Asa" are two names.
"""

import re
import unicodedata

from accounts.invisible_characters import without_invisible

# Characters of a text that are searched.
SEARCHED_LENGTH = 100_000
KEY_LENGTH = 500
_BRAILLE_BLANK = "\u2800"
# A dot above i or j is drawn where their own dot is.
_SECOND_DOT = re.compile("(?<=[ij])\u0307")
# What NFKD does not decompose into a letter and a mark.
_LETTERS = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "þ": "th", "ħ": "h"}
)
# Apostrophes, accents written as such, and hyphens: people type whichever their keyboard has.
_BETWEEN_WORDS = str.maketrans(dict.fromkeys("'’‘‛ʼʹʻʾʿ′`´＇‵-‐‑‒–—―−﹣－⁃\u00ad", " "))

# Letters of other scripts, and rare Latin ones, that look like a letter which people here write.
#
# From Unicode's confusables.txt (https://www.unicode.org/Public/security/latest/confusables.txt):
# the characters that it gives for one character of ASCII. Added: the small capitals of the phonetic
# alphabet, and the lower-case form of a capital in this table. Left out: what NFKC replaces, and
# what ASCII characters have in common with each other (1, l and I). Capitals that look like I count
# as i.
_LOOK_ALIKES = {
    "a": "ɑΑαАаᎪᗅᴀ⍺ꓮꭺ𐊠𖽀",
    "b": "ƄƅʙΒβВЬвьᏏᏴᏼᑲᖯᗷꓐꞴꞵꮟ𐊂𐊡𐌁",
    "c": "СсᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣩𑣲🝌",
    "d": "ԁᎠᏧᑯᗞᗪᴅꓒꓓꭰꮷ",
    "e": "ΕεЕеҽᎬᴇ℮⋿ⴹꓰꬲꭼ𐊆𑢦𑢮𑣎",
    "f": "ϜϝքᖴẝꓝꜰꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂𝈓",
    "g": "ƍɡɢԌԍցᏀᏳᏻᶃꓖꮐ",
    "h": "ʜΗηНнһհᎻᏂᕼⲎⲏꓧꮋꮒ𐋏",
    "i": "ıƖɩɪΙιІіӀӏᎥ⍳Ⲓⲓꙇꭵ𑣃",
    "j": "ʝͿϳЈјᎫᒍᴊꓙꞲꭻ",
    "k": "ΚκКкᏦᛕᴋⲔⲕꓗꮶ𐔘",
    "l": "ǀʟ۱Ꮮᒪᛁ∣⏽Ⳑⳑⵏꓡꓲꮮ𐊊𐌉𐌠𐐛𐑃𐔦𑢣𑢲𑣒𖼖𖼨𝈪",
    "m": "ΜμϺϻМмᎷᗰᛖᴍⲘⲙꓟꮇ𐊰𐌑",
    "n": "ɴΝոռⲚⲛꓠ𐔓",
    "o": "ΟοσОоՕօ۵०০੦૦ଠ୦௦ం౦ಂ೦ംഠ൦ං๐໐ဝ၀ჿዐᴏᴑⲞⲟⵔ〇ꓳꬽ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑓐𑢵𑣈𑣗𑣠",
    "p": "ΡρРрᏢᑭᴘ⍴Ⲣⲣꓑꮲ𐊕",
    "q": "ԛգզⵕꞯ",
    "r": "ƦʀгᎡᏒᖇᴦⲅꓣꭇꭈꭱꮁꮢ𐒴𐓜𖼵𝈖",
    "s": "ƽЅѕՏտᏕᏚꓢꜱꮥꮪ𐊖𐐠𐑈𑣁𖼺",
    "t": "ΤτТтᎢᴛ⊤⟙Ⲧⲧꓔꭲ𐊗𐊱𐌕𑢼𖼊🝨",
    "u": "ʋυՍսሀᑌᴜ∪⋃ꓴꞟꭎꭒ𐓎𐓶𑢸𑣘𖽂",
    "v": "νѴѵ۷Ꮩᐯᴠ∨⋁ⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈𝈍",
    "w": "ɯѡԜԝաᎳᏔᴡꓪꮃꮤ𑜊𑜎𑜏𑣦𑣯",
    "x": "×ΧχХхᕁᕽ᙭᙮ᚷ╳⤫⤬⨯ⲬⲭⵝꓫꞳꭓ𐊐𐊴𐌗𐌢𐔧𑣬",
    "y": "ɣʏΥγУуҮүყᎩᎽᶌỿⲨⲩꓬꭚꭹꮍ𐊲𑢤𑣜𖽃",
    "z": "ΖζᏃᴢꓜꮓ𐋵𑢩𑣄𑣉𑣥",
    "2": "ƧϨᒿꙄꛯꝚ",
    "3": "ƷȜЗӠⳌꝪꞫ𑣊𖼻𝈆",
    "4": "Ꮞ𑢯",
    "5": "Ƽ𑢻",
    "6": "бᏮⳒ𑣕",
    "7": "𐓒𑣆𝈒",
    "8": "Ȣȣ৪੪ଃ𐌚",
    "9": "৭੧୨൭ⳊꝮ𑢬𑣌𑣖",
    "-": "˗‐‒–⁃−➖Ⲻ",
    ".": "۰ꓸ꘎𝅭",
    "'": "ʹʻʼʽʾˈˊˋ˴՚՝ᑊᛌ‘’‛′‵ꞌ𖽑𖽒",
    "æ": "ӕӔ",
}
_TO_LATIN = str.maketrans(
    {other: letter for letter, others in _LOOK_ALIKES.items() for other in others}
)


def normalize_username(name: str) -> str:
    """A user name as it is looked up: NFKC, lower case. Look-alikes stay different."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).lower()).strip()


def name_key(name: str) -> str:
    """The form in which names are compared: equal for names that look the same.

    NFKC, case folding, look-alike letters of other scripts as the Latin ones, no invisible
    characters, single spaces. Look-alikes are replaced before case folding, because a capital and
    its small letter can look like two letters: Ν and ν in Greek.
    """
    letters = unicodedata.normalize("NFKD", without_invisible(name)).translate(_TO_LATIN)
    folded = unicodedata.normalize("NFKC", _SECOND_DOT.sub("", letters.casefold()))
    return " ".join(folded.replace(_BRAILLE_BLANK, " ").split())[:KEY_LENGTH]


def search_key_of(text: str) -> str:
    """What a search compares its words with: the beginning of a long text, normalized. Both lengths
    are limited, because some characters become eleven."""
    return normalize_for_search(text[:SEARCHED_LENGTH])[: 2 * SEARCHED_LENGTH]


def normalize_for_search(text: str) -> str:
    """`text` as one line without case and accents, apostrophes and hyphens as spaces: "Åsa  Öberg"
    and "asa oberg" are equal, and so are "Anna-Karin O’Brien" and "anna karin o'brien".

    `webapp/src/lib/name_search.ts` does the same.
    """
    separate = text.translate(_BETWEEN_WORDS)
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", separate).casefold())
    letters = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return " ".join(letters.translate(_LETTERS).split())
