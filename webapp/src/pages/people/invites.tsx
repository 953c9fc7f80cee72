import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { Refused } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { useResource } from "../../lib/use_resource";
import { answerInvite, readInvites, type Invite } from "../../people/invites";
import { personPath } from "../../people/person_row";
import { RoleTag } from "../../people/role_tag";
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
    accept: "Acceptera",
    decline: "Avböj",
    report: "Anmäl",
  },
});

/** Open invites, each with who is in the group. Nothing when there are none. */
export function Invites() {
  const resource = useResource("invites", readInvites);
  const { reload, data, error } = resource;
  useEffect(() => {
    // What the socket says of invites.
    const again = () => void reload();
    addEventListener("invites", again);
    return () => removeEventListener("invites", again);
  }, [reload]);
  if (error && !data) return <Notice kind="error">{error.message}</Notice>;
  if (!data?.length) return null;
  return (
    <section>
      <h2 class="section-head">{texts.title}</h2>
      <ul class="stack">
        {data.map((each) => (
          <InviteCard key={each.id} invite={each} reload={reload} />
        ))}
      </ul>
    </section>
  );
}

function InviteCard({ invite, reload }: { invite: Invite; reload: () => Promise<void> }) {
  const { route } = useLocation();
  const { isRunning, error, run } = useAction();
  const [isReporting, setReporting] = useState(false);
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
        <p>{texts.by(invite.invitedByDisplayName || invite.invitedBy)}</p>
      </div>
      <Members invite={invite} />
      {error && <Notice kind="error">{error.message}</Notice>}
      <div class="button-row">
        {buttonFor(texts.accept, "button", () => void answer(true))}
        {buttonFor(texts.decline, "button-quiet", () => void answer(false))}
        {buttonFor(texts.report, "button-quiet", () => setReporting(true))}
      </div>
      {isReporting && (
        <ReportDialog reported={{ type: "group", id: invite.conversationId }} onClose={() => setReporting(false)} />
      )}
    </li>
  );
}

/** Adults are marked, because a pupil should know before they join. */
function Members({ invite }: { invite: Invite }) {
  return (
    <div>
      <p class="quiet small">{texts.members}</p>
      <ul class="invite-members">
        {invite.members.map(({ username, displayName, userType }) => (
          <li key={username}>
            <a href={personPath(username)}>{displayName || username}</a>
            {userType !== "student" && <RoleTag role={userType} />}
          </li>
        ))}
        {invite.hiddenMembers > 0 && <li class="quiet">{texts.hidden(invite.hiddenMembers)}</li>}
      </ul>
    </div>
  );
}
