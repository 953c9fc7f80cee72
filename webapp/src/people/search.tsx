import { useEffect, useState } from "preact/hooks";
import { api, type Schemas } from "../api/client";
import { good, Refused } from "../api/errors";
import { inLanguage } from "../lib/language";
import { useSearchText } from "../shell/use_search_text";
import { Field } from "../ui/field";
import { Notice } from "../ui/notice";
import { namesakes } from "./naming";
import { PersonRow } from "./person_row";

const texts = inLanguage({
  en: {
    label: "Search for people",
    hint: "Write at least two letters of a name.",
    results: "Search results",
    none: "Nobody was found.",
  },
  sv: {
    label: "Sök efter personer",
    hint: "Skriv minst två bokstäver av ett namn.",
    results: "Sökresultat",
    none: "Ingen hittades.",
  },
});

/** A field that searches a moment after the last letter. */
export function Search() {
  const { text, setText, wanted } = useSearchText();
  return (
    <search class="stack">
      <Field label={texts.label} hint={texts.hint}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            inputMode="search"
            enterkeyhint="search"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={80}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      {wanted && <Results query={wanted} />}
    </search>
  );
}

function Results({ query }: { query: string }) {
  const { people, error } = useSearch(query);
  const sharing = namesakes(people?.map((each) => ({ ...each, name: each.displayName || each.username })) ?? []);
  return (
    <section aria-label={texts.results} aria-live="polite">
      {error && <Notice kind="error">{error.message}</Notice>}
      {people?.length === 0 && <p class="empty">{texts.none}</p>}
      {!!people?.length && (
        <ul class="rows">
          {people.map(({ username, displayName, realName, pfpUrl, schoolName, userType }) => (
            <PersonRow
              key={username}
              username={username}
              name={displayName}
              picture={pfpUrl}
              about={schoolName}
              role={userType}
              realName={realName}
              isNamesake={sharing.has(username)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

/** What was found last stays while the next search runs. No copy is kept of whom somebody looked for. */
function useSearch(query: string): { people?: Schemas["FoundUser"][]; error?: Refused } {
  const [state, setState] = useState<{ people?: Schemas["FoundUser"][]; error?: Refused }>({});
  useEffect(() => {
    let isWanted = true;
    good(api.GET("/api/users/search", { params: { query: { q: query } } }))
      .then(({ users }) => isWanted && setState({ people: users }))
      .catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        if (isWanted) setState({ error });
      });
    return () => {
      isWanted = false;
    };
  }, [query]);
  return state;
}
