import { inLanguage } from "../../lib/language";
import { discard, tryAgain, type Waiting } from "../../live/outbox";
import { Linked } from "./linked";

const texts = inLanguage({
  en: { waiting: "Waiting to be sent", retry: "Try again", discard: "Throw away" },
  sv: { waiting: "Väntar på att skickas", retry: "Försök igen", discard: "Släng" },
});

/** A message that the service does not have yet, or has refused. */
export function WaitingBubble({ waiting, text }: { waiting: Waiting; text: string | undefined }) {
  return (
    <li class="bubble-row" data-own="true">
      <div class="bubble-line">
        <div class="bubble" data-waiting="true">
          <Linked text={text ?? "…"} />
          {!waiting.refused && <span class="bubble-about">{texts.waiting}</span>}
        </div>
      </div>
      {waiting.refused && (
        <div class="bubble-refused" role="alert">
          <p>{waiting.refused}</p>
          <div class="button-row">
            <button type="button" class="button-quiet" onClick={() => void tryAgain(waiting.clientId)}>
              {texts.retry}
            </button>
            <button type="button" class="button-quiet" onClick={() => void discard(waiting.clientId)}>
              {texts.discard}
            </button>
          </div>
        </div>
      )}
    </li>
  );
}
