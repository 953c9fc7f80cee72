import type { Schemas } from "../../api/client";
import { inLanguage } from "../../lib/language";
import { Icon } from "../../ui/icon";

const texts = inLanguage({
  en: { note: "Note", grade: "Result", points: "Points", estimated: "estimated" },
  sv: { note: "Anteckning", grade: "Resultat", points: "Poäng", estimated: "uppskattat" },
});

/** A note or a result that somebody shares in a message. */
export function Card({ card }: { card: Schemas["ShareCard"] }) {
  if (card.type === "note") {
    return (
      <details class="share-card">
        <summary>
          <Icon name="note" />
          <span>
            <span class="small">{texts.note}</span>
            <br />
            <strong>{card.title}</strong>
          </span>
        </summary>
        <p class="written">{card.fullContent}</p>
      </details>
    );
  }
  return (
    <div class="share-card">
      <p class="small">
        {texts.grade} · {card.subjectName}
      </p>
      <p>
        <strong>{card.assignmentTitle}</strong>
      </p>
      {card.grade && (
        <p>
          {card.grade} {card.confidence === "estimated" && `(${texts.estimated})`}
        </p>
      )}
      {card.totalPoints && (
        <p>
          {texts.points}: {card.totalPoints}
        </p>
      )}
    </div>
  );
}
