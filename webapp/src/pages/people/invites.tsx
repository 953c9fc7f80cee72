import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { Refused } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import type { Resource } from "../../lib/use_resource";
import { answerInvite, type Invite } from "../../people/invites";
import { inOneLine, namesakes, type Named } from "../../people/naming";
import { PersonName } from "../../people/person_name";
import { personPath } from "../../people/person_row";
import { who } from "../../session/session";
import { Notice } from "../../ui/notice";
import { ReportDialog } from "../../ui/report_dialog";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Invites to groups",
    group: "A group",
    by: (name: string) => `${name} invites you.`,
    members: "In the group now:",
    hidden: (count: number) =>
      count === 1
        ? "and 1 person you have blocked or who has blocked you"
        : `and ${count} people you have blocked or who have blocked you`,
    hiddenFromAdult: (count: number) =>
      count === 1
        ? "and 1 person you do not see: a pupil you do not know, or there is a block between you"
        : `and ${count} people you do not see: pupils you do not know, or there is a block between you`,
    accept: "Accept",
    decline: "Decline",
    report: "Report",
  },
  sv: {
    title: "Inbjudningar till grupper",
    group: "En grupp",
    by: (name: string) => `${name} bjuder in dig.`,
    members: "I gruppen nu:",
    hidden: (count: number) =>
      count === 1
        ? "och 1 person som du har blockerat eller som har blockerat dig"
        : `och ${count} personer som du har blockerat eller som har blockerat dig`,
    hiddenFromAdult: (count: number) =>
      count === 1
        ? "och 1 person som du inte ser: en elev som du inte känner, eller någon av er har blockerat den andra"
        : `och ${count} personer som du inte ser: elever som du inte känner, eller någon av er har blockerat den andra`,
    accept: "Acceptera",
    decline: "Avböj",
    report: "Anmäl",
  },
});

interface Props {
  resource: Resource<Invite[]>;
  /** Whether the page says already why something could not be read. */
  isErrorShown: boolean;
}

/** Open invites, each with who is in the group. Nothing when there are none. */
export function Invites({ resource: { reload, data, error }, isErrorShown }: Props) {
  // Also when the invite is withdrawn meanwhile.
  const [reported, setReported] = useState<string>();
  useEffect(() => {
    // What the socket says of invites.
    const again = () => void reload();
    addEventListener("invites", again);
    return () => removeEventListener("invites", again);
  }, [reload]);
  if (error && !data) return isErrorShown ? null : <Notice kind="error">{error.message}</Notice>;
  return (
    <>
      {data?.length ? (
        <section>
          <h2 class="section-head">{texts.title}</h2>
          <ul class="stack">
            {data.map((each) => (
              <InviteCard key={each.id} invite={each} reload={reload} onReport={() => setReported(each.id)} />
            ))}
          </ul>
        </section>
      ) : null}
      {reported && <ReportDialog reported={{ type: "invite", id: reported }} onClose={() => setReported(undefined)} />}
    </>
  );
}

interface CardProps {
  invite: Invite;
  reload: () => Promise<void>;
  onReport: () => void;
}

function InviteCard({ invite, reload, onReport }: CardProps) {
  const { route } = useLocation();
  const { isRunning, error, run } = useAction();
  const title = `invite-${invite.id}`;
  const answer = (accept: boolean) =>
    run(async () => {
      try {
        await answerInvite(invite.id, accept);
      } catch (refused) {
        // Who is in the group has changed, or the invite is gone: show it as it is now.
        if (refused instanceof Refused && !refused.isTemporary) await reload();
        throw refused;
      }
      if (accept) route(`/app/chats/${invite.conversationId}`);
      else await reload();
    });
  const buttonFor = (label: string, kind: string, onClick: () => void) => (
    <button type="button" class={kind} disabled={isRunning} aria-describedby={title} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <li class="card stack">
      <div>
        <h3 id={title}>{invite.groupName || texts.group}</h3>
        <p>{texts.by(inviterOf(invite))}</p>
      </div>
      <Members invite={invite} />
      {error && <Notice kind="error">{error.message}</Notice>}
      <div class="button-row">
        {buttonFor(texts.accept, "button", () => void answer(true))}
        {buttonFor(texts.decline, "button-quiet", () => void answer(false))}
        {buttonFor(texts.report, "button-quiet", onReport)}
      </div>
    </li>
  );
}

const namedIn = ({ members }: Invite): Named[] =>
  members.map(({ username, displayName, userType }) => ({ username, name: displayName || username, role: userType }));

/** Who invites, who may have left the group. */
function inviterOf(invite: Invite): string {
  const { invitedBy: username, invitedByDisplayName, invitedByUserType } = invite;
  const inviter = { username, name: invitedByDisplayName || username, role: invitedByUserType ?? undefined };
  return inOneLine(inviter, namesakes([inviter, ...namedIn(invite)]).has(username));
}

/** Adults are marked, because a pupil should know before they join. */
function Members({ invite }: { invite: Invite }) {
  const people = namedIn(invite);
  const sharing = namesakes(people);
  const role = who.value?.role;
  const hidden = role === "student" ? texts.hidden : texts.hiddenFromAdult;
  return (
    <div>
      <p class="quiet small">{texts.members}</p>
      <ul class="invite-members">
        {people.map((person) => (
          <li key={person.username}>
            <a href={personPath(person.username)}>
              <PersonName person={person} isNamesake={sharing.has(person.username)} />
            </a>
          </li>
        ))}
        {invite.hiddenMembers > 0 && <li class="quiet">{hidden(invite.hiddenMembers)}</li>}
      </ul>
    </div>
  );
}
