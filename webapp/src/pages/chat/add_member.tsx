import { useEffect, useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { changeConversation } from "../../live/actions";
import type { Conversation } from "../../live/state";
import { friends, lineFor, loadFriends, otherOf } from "../../people/friends";
import { Field } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: { label: "Add a friend", choose: "Choose a friend", add: "Add", done: (name: string) => `${name} is in the group, or has an invite now.` },
  sv: { label: "Lägg till en vän", choose: "Välj en vän", add: "Lägg till", done: (name: string) => `${name} är med i gruppen, eller har fått en inbjudan.` },
});

/** Adds a friend to a group; who may not be added directly gets an invite. */
export function AddMember({ conversation }: { conversation: Conversation }) {
  const [chosen, setChosen] = useState("");
  const [added, setAdded] = useState("");
  const { error, run, isRunning } = useAction();
  const list = friends.value;
  useEffect(() => {
    if (!list) void loadFriends().catch(() => undefined);
  }, []);
  const others = list?.friends.map(otherOf).filter((each) => !conversation.participants.includes(each)) ?? [];
  if (list && others.length === 0) return null;
  const nameOf = (username: string) => (list ? lineFor(username, list) : username);

  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!chosen) return;
    setAdded("");
    if (!(await run(() => changeConversation(conversation.id, { action: "add_member", targetUsername: chosen })))) return;
    setAdded(nameOf(chosen));
    setChosen("");
  };
  return (
    <form class="form" onSubmit={(event) => void add(event)}>
      {error && <Notice kind="error">{error.message}</Notice>}
      {added && <Notice>{texts.done(added)}</Notice>}
      <Field label={texts.label}>
        {(attributes) => (
          <select {...attributes} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">{texts.choose}</option>
            {others.map((username) => (
              <option key={username} value={username}>
                {nameOf(username)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button class="button-quiet" disabled={!chosen || isRunning}>
        {texts.add}
      </button>
    </form>
  );
}
