import { inLanguage } from "../../lib/language";
import { changeConversation } from "../../live/actions";
import { lineFor, nameOf, namesakesIn, personIn } from "../../live/names";
import type { Conversation } from "../../live/state";
import { ConfirmButton } from "../../people/confirm_button";
import { PersonRow } from "../../people/person_row";
import { ownName } from "../../session/session";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Members",
    admin: "Admin",
    you: "You",
    remove: "Remove",
    sureRemove: (name: string) => `Remove ${name} from the group?`,
    hand: "Make admin",
    sureHand: (name: string) => `Let ${name} be the admin instead of you?`,
  },
  sv: {
    title: "Medlemmar",
    admin: "Admin",
    you: "Du",
    remove: "Ta bort",
    sureRemove: (name: string) => `Ta bort ${name} ur gruppen?`,
    hand: "Gör till admin",
    sureHand: (name: string) => `Låta ${name} bli admin i stället för dig?`,
  },
});

/** Who is in the conversation; the admin of a group can remove members and hand the group over. */
export function Members({ conversation }: { conversation: Conversation }) {
  const { id, type, participants, participantPfpUrls, adminUsername } = conversation;
  const { error, run, isRunning } = useAction();
  const sharing = namesakesIn(conversation);
  const isAdmin = type === "group" && adminUsername === ownName();
  const change = (action: "transfer_admin" | "remove_member", targetUsername: string) =>
    run(() => changeConversation(id, { action, targetUsername }));
  return (
    <section class="stack" aria-labelledby="members">
      <h2 id="members">{texts.title}</h2>
      {error && <Notice kind="error">{error.message}</Notice>}
      <ul class="rows">
        {participants.map((username) => (
          <PersonRow
            key={username}
            username={username}
            name={nameOf(username, conversation)}
            realName={personIn(username, conversation).realName}
            role={personIn(username, conversation).role}
            isNamesake={sharing.has(username)}
            picture={participantPfpUrls[username]}
            about={[username === ownName() && texts.you, username === adminUsername && texts.admin].filter(Boolean).join(" · ")}
          >
            {isAdmin && username !== ownName() && (
              <>
                <ConfirmButton
                  label={texts.hand}
                  question={texts.sureHand(lineFor(username, conversation))}
                  confirm={texts.hand}
                  disabled={isRunning}
                  onConfirm={() => void change("transfer_admin", username)}
                />
                <ConfirmButton
                  label={texts.remove}
                  question={texts.sureRemove(lineFor(username, conversation))}
                  confirm={texts.remove}
                  disabled={isRunning}
                  onConfirm={() => void change("remove_member", username)}
                />
              </>
            )}
          </PersonRow>
        ))}
      </ul>
    </section>
  );
}
