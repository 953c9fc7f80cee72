import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import { api } from "../api/client";
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
  },
});

/** Writing to somebody, and being friends or not. */
export function ContactButtons({ username, name }: { username: string; name: string }) {
  const { route } = useLocation();
  const { isRunning, error, run } = useAction();
  const standing = standingOf(username, friends.value);
  useEffect(() => {
    // Without the list, the page offers what it can: the service knows better when asked.
    if (!friends.value) loadFriends().catch(ignoreRefused);
  }, []);
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
      <div class="button-row">
        {standing === "asking" && buttonFor(texts.accept, () => answerFriend(username, true), "button")}
        {standing === "asking" && buttonFor(texts.decline, () => answerFriend(username, false))}
        {standing === "none" && buttonFor(texts.add, () => askToBeFriends(username), "button")}
        {standing === "asked" && buttonFor(texts.withdraw, () => endFriendship(username))}
        <button
          type="button"
          class={standing === "friend" ? "button" : "button-quiet"}
          disabled={isRunning}
          onClick={() => void run(write)}
        >
          <Icon name="chat" />
          {texts.message}
        </button>
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
