import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { inLanguage } from "../lib/language";
import { Icon } from "../ui/icon";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";
import { ConfirmButton } from "./confirm_button";
import { answerFriend, askToBeFriends, endFriendship, friends, loadFriends, standingOf } from "./friends";

const texts = inLanguage({
  en: {
    message: "Message",
    add: "Add friend",
    accept: "Accept",
    decline: "Decline",
    withdraw: "Withdraw request",
    remove: "Remove friend",
    removeAsk: (name: string) => `Remove ${name} from your friends?`,
    removeSure: "Yes, remove",
    asks: (name: string) => `${name} wants to be your friend.`,
    nothing: (name: string) => `You cannot write to ${name} or ask to be friends now.`,
  },
  sv: {
    message: "Meddelande",
    add: "Lägg till som vän",
    accept: "Acceptera",
    decline: "Avböj",
    withdraw: "Ta tillbaka förfrågan",
    remove: "Ta bort som vän",
    removeAsk: (name: string) => `Ta bort ${name} från dina vänner?`,
    removeSure: "Ja, ta bort",
    asks: (name: string) => `${name} vill bli din vän.`,
    nothing: (name: string) => `Du kan inte skriva till ${name} eller fråga om ni ska bli vänner just nu.`,
  },
});

interface Props {
  username: string;
  name: string;
  /** What the service would not refuse; missing in copies of before it said so. */
  contact: Schemas["Contact"] | undefined;
  reload: () => Promise<void>;
}

/** Writing to somebody, and being friends or not: only what the service would not refuse. */
export function ContactButtons({ username, name, contact, reload }: Props) {
  const { route } = useLocation();
  const { isRunning, error, run } = useAction();
  const standing = standingOf(username, friends.value);
  useEffect(() => {
    // Without the list, the page offers what it can: the service knows better when asked.
    if (!friends.value) loadFriends().catch(ignoreRefused);
  }, []);
  const shownFor = useRef(standing);
  useEffect(() => {
    // Who may write changes with the friendship.
    if (friends.value && shownFor.current !== standing) void reload();
    shownFor.current = standing;
  }, [standing]);
  const mayWrite = contact?.dm ?? true;
  const mayAsk = standing === "none" && (contact?.friend ?? true);
  const write = async () => {
    const { conversation } = await good(api.POST("/api/conversations", { body: { targetUsername: username } }));
    route(`/app/chats/${conversation.id}`);
  };
  const buttonFor = (label: string, work: () => Promise<void>, kind = "button-quiet") => (
    <button type="button" class={kind} disabled={isRunning} onClick={() => void run(work)}>
      {label}
    </button>
  );
  return (
    <div class="stack">
      {standing === "asking" && <p>{texts.asks(name)}</p>}
      {standing === "none" && !mayWrite && !mayAsk && <p class="quiet">{texts.nothing(name)}</p>}
      <div class="button-row">
        {standing === "asking" && buttonFor(texts.accept, () => answerFriend(username, true), "button")}
        {standing === "asking" && buttonFor(texts.decline, () => answerFriend(username, false))}
        {mayAsk && buttonFor(texts.add, () => askToBeFriends(username), "button")}
        {standing === "asked" && buttonFor(texts.withdraw, () => endFriendship(username))}
        {mayWrite && (
          <button
            type="button"
            class={standing === "friend" ? "button" : "button-quiet"}
            disabled={isRunning}
            onClick={() => void run(write)}
          >
            <Icon name="chat" />
            {texts.message}
          </button>
        )}
        {standing === "friend" && (
          <ConfirmButton
            label={texts.remove}
            question={texts.removeAsk(name)}
            confirm={texts.removeSure}
            disabled={isRunning}
            onConfirm={() => void run(() => endFriendship(username))}
          />
        )}
      </div>
      {error && <Notice kind="error">{error.message}</Notice>}
    </div>
  );
}

function ignoreRefused(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}
