import { api, type Schemas } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { useResource } from "../../lib/use_resource";
import { preferChild } from "../../school/child";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useQueue } from "../../ui/use_queue";

const texts = inLanguage({
  en: {
    title: "Children",
    ask: "Whose school do you want to see first?",
    none: "Ask each time",
    noChildren: "The school names no child of yours.",
  },
  sv: {
    title: "Barn",
    ask: "Vems skola vill du se först?",
    none: "Fråga varje gång",
    noChildren: "Skolan anger inget barn för dig.",
  },
});

type Children = Schemas["Children"];

/** For guardians: the child whose school is shown when nobody chose another. */
export default function ChildrenSettings() {
  const resource = useResource("children", () => good(api.GET("/api/children")));
  const { error, add } = useQueue();
  const choose = (all: Children, id: string | null) => {
    resource.replace({ ...all, default: id });
    const save = () => good(api.PUT("/api/children/default", { body: { id } }));
    void add(save).then((wasSaved) => (wasSaved ? preferChild(id) : resource.reload()));
  };
  return (
    <Page title={texts.title} back="/app/settings">
      {error && <Notice kind="error">{error.message}</Notice>}
      <Loaded resource={resource}>
        {(all) =>
          all.children.length === 0 ? (
            <p class="empty">{texts.noChildren}</p>
          ) : (
            <fieldset class="card">
              <legend class="visually-hidden">{texts.ask}</legend>
              <p class="legend" aria-hidden="true">
                {texts.ask}
              </p>
              {all.children.map((child) => (
                <Choice
                  key={child.id}
                  name={child.name}
                  about={child.schools.map(aboutSchool).join("; ")}
                  isChosen={all.default === child.id}
                  onChoose={() => choose(all, child.id)}
                />
              ))}
              <Choice name={texts.none} isChosen={all.default === null} onChoose={() => choose(all, null)} />
            </fieldset>
          )
        }
      </Loaded>
    </Page>
  );
}

const aboutSchool = ({ name, className }: Schemas["ChildSchool"]): string =>
  [name, className].filter(Boolean).join(", ");

interface ChoiceProps {
  name: string;
  about?: string;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ name, about, isChosen, onChoose }: ChoiceProps) {
  return (
    <label class="check">
      <input type="radio" name="default-child" checked={isChosen} onChange={onChoose} />
      <span>
        {name}
        {about && <span class="quiet small"> {about}</span>}
      </span>
    </label>
  );
}
