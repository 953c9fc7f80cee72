import { inLanguage } from "../../lib/language";
import { ChildChooser, isChildKnown } from "../../school/child_chooser";
import { useSubjects } from "../../school/resources";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";

const texts = inLanguage({
  en: { title: "Subjects", none: "There are no subjects.", unread: (count: number) => `${count} new` },
  sv: { title: "Ämnen", none: "Det finns inga ämnen.", unread: (count: number) => (count === 1 ? "1 ny" : `${count} nya`) },
});

export default function Subjects() {
  return (
    <Page title={texts.title} back="/app/more">
      <ChildChooser />
      {isChildKnown() && <SubjectList />}
    </Page>
  );
}

function SubjectList() {
  const subjects = useSubjects();
  return (
    <Loaded resource={subjects}>
      {(data) =>
        data.subjects.length === 0 ? (
          <p class="empty">{texts.none}</p>
        ) : (
          <ul class="rows">
            {data.subjects.map((subject) => (
              <li key={subject.id}>
                <a class="row" href={`/app/subjects/${subject.id}`}>
                  <span class="subject-colour" style={{ background: subject.color ?? "var(--line)" }} />
                  <div class="row-main">
                    <p class="row-title">{subject.subject ?? "–"}</p>
                    <p class="row-text">{subject.teachers.map((each) => `${each.firstName} ${each.lastName}`).join(", ")}</p>
                  </div>
                  {!!subject.unreadEntities && <span class="tag tag-accent">{texts.unread(subject.unreadEntities)}</span>}
                </a>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
