import type { RefObject } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { nameSearch } from "../../lib/name_search";
import { areSettled } from "../../lib/use_resource";
import { mentionBegun } from "../../live/mentions";
import { lineFor } from "../../live/names";
import type { Conversation } from "../../live/state";
import { useBlocks, type Block } from "../../people/blocks";
import { ownName } from "../../session/session";

const texts = inLanguage({
  en: {
    people: "Mention somebody",
    offered: (count: number) => `${count} to mention. Choose with the arrow keys and Enter.`,
  },
  sv: {
    people: "Nämn någon",
    offered: (count: number) => `${count} att nämna. Välj med piltangenterna och Enter.`,
  },
});

const SHOWN = 6;

/**
 * Offers the members of a group after an `@` (WAI-ARIA "listbox" that the text field controls), but for those whom the
 * person has blocked: they would not be notified. `attributes` are for the field; `onKeyDown` says whether it took the key.
 */
export function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
  conversation: Conversation,
) {
  const id = useId();
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const isGroup = conversation.type === "group";
  const [hadFocus, setHadFocus] = useState(false);
  const blocks = useBlocks(isGroup && hadFocus);
  const begun = isGroup && areSettled(blocks) ? mentionBegun(text, caret) : undefined;
  const choices = begun && begun.start !== closedAt ? matching(begun.typed, conversation, blocks.data) : [];
  const [isChosen, setChosen] = useState(false);
  useEffect(() => {
    setActive(0);
    setChosen(false);
  }, [begun?.typed]);
  // Closed for this `@` only.
  useEffect(() => {
    if (!begun) setClosedAt(undefined);
  }, [!begun]);
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);

  const choose = (username: string) => {
    if (!begun) return;
    const before = `${text.slice(0, begun.start)}@${username} `;
    setText(before + text.slice(caret).replace(/^ /, ""));
    setCaret(before.length);
    // After the field has its new text.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
    });
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const chosen = choices[active];
    if (!chosen || event.isComposing) return false;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      setActive((active + move + choices.length) % choices.length);
      setChosen(true);
    } else if (event.key === "Escape") setClosedAt(begun?.start);
    // After a bare `@` nobody is meant yet: "kl @" is sent as it is.
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && (begun?.typed || isChosen)) choose(chosen);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const seeCaret = () => setCaret(field.current?.selectionStart ?? 0);
  const list = (
    <>
      <p class="visually-hidden" role="status">
        {choices.length > 0 && texts.offered(choices.length)}
      </p>
      {choices.length > 0 && (
        <ul id={id} class="mention-choices" role="listbox" aria-label={texts.people}>
          {choices.map((username, index) => (
            <li
              key={username}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // The field keeps the focus, and a phone its keyboard.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(username)}
            >
              {lineFor(username, conversation)} <span class="small quiet">@{username}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
  const attributes = {
    "aria-autocomplete": "list" as const,
    "aria-controls": choices.length > 0 ? id : undefined,
    "aria-activedescendant": choices.length > 0 ? `${id}-${active}` : undefined,
    onSelect: seeCaret,
    onKeyUp: seeCaret,
    onClick: seeCaret,
    onFocus: () => {
      setHadFocus(true);
      seeCaret();
    },
    onBlur: () => setCaret(0),
  };
  return { list, attributes, onKeyDown, seeCaret };
}

function matching(typed: string, conversation: Conversation, blocks: Block[] = []): string[] {
  const isWanted = nameSearch(typed);
  const notOffered = new Set([ownName(), ...blocks.map(({ username }) => username)]);
  const others = conversation.participants.filter((username) => !notOffered.has(username));
  return others.filter((username) => isWanted(`${username} ${lineFor(username, conversation)}`)).slice(0, SHOWN);
}
