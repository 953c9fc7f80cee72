"""Letters of other scripts, and rare Latin ones, that look like a letter which people here write.

From Unicode's confusables.txt (https://www.unicode.org/Public/security/latest/confusables.txt): the
characters that it gives for one character of ASCII. Added: the small capitals of the phonetic
alphabet, and the lower-case form of a capital in this table. Left out: what NFKC replaces, and what
ASCII characters have in common with each other (1, l and I). Capitals that look like I count as i.
"""

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
# For `str.translate`.
LOOK_ALIKES = str.maketrans(
    {other: letter for letter, others in _LOOK_ALIKES.items() for other in others}
)
