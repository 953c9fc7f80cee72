import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { startConversation } from "../../live/actions";
import { keepKey, makeKey, makeKeyCheck } from "../../live/encryption";
import { faultOf } from "../../live/passphrase";
import { friends, loadFriends, namedIn, namesakesIn, otherOf, type FriendList } from "../../people/friends";
import { PersonName } from "../../people/person_name";
import { Page } from "../../shell/page";
import { Avatar } from "../../ui/avatar";
import { Field } from "../../ui/field";
import { Loading } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";
import { NewPassphrase } from "./new_passphrase";

const texts = inLanguage({
  en: {
    title: "New chat",
    who: "Who is it with?",
    none: "You have no friends here yet.",
    find: "Find people",
    others: "To write to somebody else, open their page.",
    group: "Name of the group",
    encrypted: "Encrypted: only members who know the passphrase can read it",
    start: "Start the chat",
    create: "Create the group",
    nameMissing: "Give the group a name.",
  },
  sv: {
    title: "Ny chatt",
    who: "Vem är den med?",
    none: "Du har inga vänner här än.",
    find: "Hitta personer",
    others: "Vill du skriva till någon annan, öppna deras sida.",
    group: "Gruppens namn",
    encrypted: "Krypterad: bara medlemmar som kan lösenfrasen kan läsa",
    start: "Börja chatten",
    create: "Skapa gruppen",
    nameMissing: "Ge gruppen ett namn.",
  },
});

/** One friend makes a direct conversation, several a group. */
export default function NewChat() {
  const { route } = useLocation();
  const [members, setMembers] = useState<string[]>([]);
  const [isEncrypted, setEncrypted] = useState(false);
  const [fault, setFault] = useState<string>();
  const [missing, setMissing] = useState<string[]>();
  const { error, run, isRunning } = useAction();
  const reading = useAction();
  useEffect(() => {
    void reading.run(loadFriends);
  }, []);
  const isGroup = members.length > 1 || (members.length === 1 && isEncrypted);

  async function start(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [name, passphrase, again] = ["name", "passphrase", "again"].map((each) => String(form.get(each) ?? "").trim()) as [string, string, string];
    const found = isEncrypted ? faultOf(passphrase, again) : undefined;
    setMissing(isGroup && !name ? [texts.nameMissing] : undefined);
    setFault(found);
    if ((isGroup && !name) || found) return;
    const [first = ""] = members;
    await run(async () => {
      const keyCheck = isEncrypted ? { encrypted: true, keyCheck: await makeKeyCheck(passphrase) } : {};
      const id = await startConversation(
        isGroup ? { type: "group", groupName: name, members, ...keyCheck } : { targetUsername: first },
      );
      if (isEncrypted) await keepKey(id, await makeKey(passphrase, id));
      route(`/app/chats/${id}`, true);
    });
  }
  const toggle = (username: string, isChosen: boolean) =>
    setMembers((all) => (isChosen ? [...all, username] : all.filter((each) => each !== username)));
  return (
    <Page title={texts.title} back="/app/chats">
      {!friends.value && (reading.error ? <Notice kind="error">{reading.error.message}</Notice> : <Loading />)}
      {friends.value && (
        <form class="stack" onSubmit={(event) => void start(event)}>
          {error && <Notice kind="error">{error.message}</Notice>}
          <fieldset class="choices">
            <legend>{texts.who}</legend>
            <FriendChoices list={friends.value} chosen={members} onToggle={toggle} />
          </fieldset>
          <p class="quiet">
            {texts.others} <a href="/app/people">{texts.find}</a>
          </p>
          {members.length > 0 && (
            <label class="check">
              <input type="checkbox" checked={isEncrypted} onChange={(event) => setEncrypted(event.currentTarget.checked)} />
              {texts.encrypted}
            </label>
          )}
          {isGroup && (
            <Field label={texts.group} errors={missing ?? error?.fields["groupName"]}>
              {(attributes) => <input {...attributes} name="name" maxLength={80} autocomplete="off" />}
            </Field>
          )}
          {isEncrypted && members.length > 0 && <NewPassphrase fault={fault} />}
          <button class="button" disabled={members.length === 0 || isRunning}>
            {isGroup ? texts.create : texts.start}
          </button>
        </form>
      )}
    </Page>
  );
}

interface Choices {
  list: FriendList;
  chosen: string[];
  onToggle: (username: string, isChosen: boolean) => void;
}

function FriendChoices({ list, chosen, onToggle }: Choices) {
  if (list.friends.length === 0) return <p class="empty">{texts.none}</p>;
  const sharing = namesakesIn(list);
  return (
    <ul class="rows">
      {list.friends.map(otherOf).map((username) => (
        <li key={username}>
          <label class="row">
            <Avatar name={list.profileMap[username]?.displayName ?? username} picture={list.profileMap[username]?.pfpUrl} />
            <span class="row-main">
              <span class="row-title">
                <PersonName person={namedIn(username, list)} isNamesake={sharing.has(username)} />
              </span>
              {sharing.has(username) && <span class="row-text">{list.profileMap[username]?.schoolName}</span>}
            </span>
            <input
              type="checkbox"
              class="row-check"
              checked={chosen.includes(username)}
              onChange={(event) => onToggle(username, event.currentTarget.checked)}
            />
          </label>
        </li>
      ))}
    </ul>
  );
}
