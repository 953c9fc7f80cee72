import { useState } from "preact/hooks";
import { CountdownCard } from "../countdowns/countdown_card";
import { CountdownForm } from "../countdowns/countdown_form";
import { sorted, type Countdown } from "../countdowns/countdowns";
import { inLanguage } from "../lib/language";
import { useCountdowns } from "../school/resources";
import { Page } from "../shell/page";
import { Icon } from "../ui/icon";
import { Loaded } from "../ui/loaded";

const texts = inLanguage({
  en: {
    title: "Countdowns",
    add: "New countdown",
    none: "Is there a day you are waiting for? Count down to it.",
    archived: (count: number) => `Archived (${count})`,
  },
  sv: {
    title: "Nedräkningar",
    add: "Ny nedräkning",
    none: "Finns det en dag du väntar på? Räkna ner till den.",
    archived: (count: number) => `Arkiverade (${count})`,
  },
});

/** Days that the person counts down to. */
export default function Countdowns() {
  const resource = useCountdowns();
  const [edited, setEdited] = useState<Countdown | "new" | null>(null);
  const onSaved = async () => {
    setEdited(null);
    await resource.reload();
  };
  const listOf = (countdowns: Countdown[]) => (
    <ul class="stack">
      {countdowns.map((each) => (
        <CountdownCard key={each.id} countdown={each} onEdit={() => setEdited(each)} reload={resource.reload} />
      ))}
    </ul>
  );
  return (
    <Page title={texts.title} back="/app/more">
      <div class="button-row">
        <button type="button" class="button" onClick={() => setEdited("new")}>
          <Icon name="add" />
          {texts.add}
        </button>
      </div>
      <Loaded resource={resource}>
        {({ countdowns }) => {
          const archived = sorted(countdowns.filter((each) => each.archived));
          const shown = sorted(countdowns.filter((each) => !each.archived));
          return (
            <>
              {shown.length === 0 ? <p class="empty">{texts.none}</p> : listOf(shown)}
              {archived.length > 0 && (
                <details class="stack">
                  <summary>{texts.archived(archived.length)}</summary>
                  {listOf(archived)}
                </details>
              )}
            </>
          );
        }}
      </Loaded>
      {edited && (
        <CountdownForm
          countdown={edited === "new" ? undefined : edited}
          onClose={() => setEdited(null)}
          onSaved={onSaved}
        />
      )}
    </Page>
  );
}
