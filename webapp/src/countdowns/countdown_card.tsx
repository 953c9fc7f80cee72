import { inLanguage } from "../lib/language";
import { ConfirmButton } from "../people/confirm_button";
import { Icon } from "../ui/icon";
import { Notice } from "../ui/notice";
import { useAction } from "../ui/use_action";
import { changeCountdown, dateOf, leftOf, removeCountdown, type Countdown, type CountdownChange } from "./countdowns";

const texts = inLanguage({
  en: {
    edit: "Edit",
    pin: "Pin",
    archive: "Archive",
    restore: "Restore",
    remove: "Delete",
    removeAsk: (title: string) => `Delete “${title}”?`,
    removeSure: "Yes, delete",
  },
  sv: {
    edit: "Ändra",
    pin: "Fäst",
    archive: "Arkivera",
    restore: "Ta tillbaka",
    remove: "Ta bort",
    removeAsk: (title: string) => `Ta bort ”${title}”?`,
    removeSure: "Ja, ta bort",
  },
});

interface Props {
  countdown: Countdown;
  onEdit: () => void;
  reload: () => Promise<void>;
}

/** One countdown with its buttons. */
export function CountdownCard({ countdown, onEdit, reload }: Props) {
  const { id, title, description, emoji, theme, pinned, archived } = countdown;
  const { isRunning, error, run } = useAction();
  const titleId = `countdown-${id}`;
  const change = (wanted: CountdownChange) => void run(() => changeCountdown(id, wanted).then(reload));
  const archiveText = archived ? texts.restore : texts.archive;
  return (
    <li class={`countdown countdown-card countdown-${theme}`}>
      <span class="countdown-emoji" aria-hidden="true">
        {emoji || "⏳"}
      </span>
      <div class="row-main">
        <h2 id={titleId}>{title}</h2>
        <p>
          <b>{leftOf(countdown)}</b> <span class="countdown-date">{dateOf(countdown)}</span>
        </p>
        {description && <p class="countdown-description">{description}</p>}
        {error && <Notice kind="error">{error.message}</Notice>}
        <div class="button-row countdown-buttons" role="group" aria-labelledby={titleId}>
          <button
            type="button"
            class="button-icon"
            aria-label={texts.pin}
            aria-pressed={pinned}
            disabled={isRunning}
            onClick={() => change({ pinned: !pinned })}
          >
            <Icon name="pin" />
          </button>
          <button type="button" class="button-icon" aria-label={texts.edit} onClick={onEdit}>
            <Icon name="edit" />
          </button>
          <button
            type="button"
            class="button-icon"
            aria-label={archiveText}
            disabled={isRunning}
            onClick={() => change({ archived: !archived })}
          >
            <Icon name="archive" />
          </button>
          <ConfirmButton
            label={texts.remove}
            question={texts.removeAsk(title)}
            confirm={texts.removeSure}
            disabled={isRunning}
            onConfirm={() => void run(() => removeCountdown(id).then(reload))}
          />
        </div>
      </div>
    </li>
  );
}
