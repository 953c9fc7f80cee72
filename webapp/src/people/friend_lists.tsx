import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { inLanguage } from "../lib/language";
import { presence } from "../live/state";
import { Notice } from "../ui/notice";
import { ReportDialog } from "../ui/report_dialog";
import { useAction } from "../ui/use_action";
import { answerFriend, endFriendship, namedIn, namesakesIn, otherOf, type FriendList, type Friendship } from "./friends";
import { describedBy, PersonRow } from "./person_row";
import { loadPresence } from "./presence";

const texts = inLanguage({
  en: {
    received: "Friend requests",
    accept: "Accept",
    decline: "Decline",
    report: "Report",
    friends: "Friends",
    none: "You have no friends here yet. Search for somebody you know.",
    sent: "Requests you have sent",
    withdraw: "Withdraw request",
  },
  sv: {
    received: "Vänförfrågningar",
    accept: "Acceptera",
    decline: "Avböj",
    report: "Anmäl",
    friends: "Vänner",
    none: "Du har inga vänner här än. Sök efter någon du känner.",
    sent: "Förfrågningar du har skickat",
    withdraw: "Ta tillbaka förfrågan",
  },
});

const LOOK_AGAIN = 60_000;

/** Requests that wait for an answer. Nothing when there are none. */
export function ReceivedRequests({ list }: { list: FriendList }) {
  const { isRunning, error, run } = useAction();
  // Also when the request is withdrawn meanwhile.
  const [reported, setReported] = useState<string>();
  const answer = (username: string, accept: boolean) => void run(() => answerFriend(username, accept));
  const buttonFor = (username: string, label: string, kind: string, onClick: () => void) => (
    <button type="button" class={kind} disabled={isRunning} aria-describedby={describedBy(username)} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <>
      {list.received.length > 0 && (
        <section>
          <h2 class="section-head">{texts.received}</h2>
          {error && <Notice kind="error">{error.message}</Notice>}
          <ul class="rows">
            {list.received.map((each) => (
              <FriendRow key={each.id} friendship={each} list={list}>
                {(username) => (
                  <>
                    {buttonFor(username, texts.accept, "button", () => answer(username, true))}
                    {buttonFor(username, texts.decline, "button-quiet", () => answer(username, false))}
                    {buttonFor(username, texts.report, "button-quiet", () => setReported(each.id))}
                  </>
                )}
              </FriendRow>
            ))}
          </ul>
        </section>
      )}
      {reported && (
        <ReportDialog reported={{ type: "friend_request", id: reported }} onClose={() => setReported(undefined)} />
      )}
    </>
  );
}

/** Friends, with who is there now. */
export function Friends({ list }: { list: FriendList }) {
  const names = list.friends.map(otherOf).join();
  useEffect(() => {
    if (!names) return undefined;
    const look = () => void loadPresence(names.split(","));
    look();
    const timer = setInterval(look, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [names]);
  return (
    <section>
      <h2 class="section-head">{texts.friends}</h2>
      {list.friends.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <ul class="rows">
          {list.friends.map((each) => (
            <FriendRow key={each.id} friendship={each} list={list} hasPresence />
          ))}
        </ul>
      )}
    </section>
  );
}

export function SentRequests({ list }: { list: FriendList }) {
  const { isRunning, error, run } = useAction();
  if (list.sent.length === 0) return null;
  return (
    <section>
      <h2 class="section-head">{texts.sent}</h2>
      {error && <Notice kind="error">{error.message}</Notice>}
      <ul class="rows">
        {list.sent.map((each) => (
          <FriendRow key={each.id} friendship={each} list={list}>
            {(username) => (
              <button
                type="button"
                class="button-quiet"
                disabled={isRunning}
                aria-describedby={describedBy(username)}
                onClick={() => void run(() => endFriendship(username))}
              >
                {texts.withdraw}
              </button>
            )}
          </FriendRow>
        ))}
      </ul>
    </section>
  );
}

interface RowProps {
  friendship: Friendship;
  list: FriendList;
  hasPresence?: boolean;
  children?: (username: string) => ComponentChildren;
}

function FriendRow({ friendship, list, hasPresence = false, children }: RowProps) {
  const username = otherOf(friendship);
  const { name, realName, role } = namedIn(username, list);
  const card = list.profileMap[username];
  return (
    <PersonRow
      username={username}
      name={name}
      realName={realName}
      role={role}
      isNamesake={namesakesIn(list).has(username)}
      picture={card?.pfpUrl}
      about={card?.schoolName}
      presence={hasPresence ? presence.value[username] : undefined}
    >
      {children?.(username)}
    </PersonRow>
  );
}
