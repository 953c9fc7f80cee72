import { inLanguage } from "../lib/language";
import { useFeatures } from "../school/features";
import { FOR_GUARDIANS } from "../school/for_guardians";
import { ownName, who } from "../session/session";
import { Page } from "../shell/page";
import { Avatar } from "../ui/avatar";
import { Icon, type IconName } from "../ui/icon";

const texts = inLanguage({
  en: {
    title: "More",
    todo: "To do",
    attendance: "Attendance",
    calendar: "Calendar in your phone",
    search: "Search",
    people: "People",
    notes: "Notes",
    news: "News from school",
    inbox: "From school",
    results: "Results",
    subjects: "Subjects",
    classList: "Class list",
    staff: "Staff",
    files: "Files and links",
    countdowns: "Countdowns",
    settings: "Settings",
    roles: { student: "Pupil", teacher: "Teacher", guardian: "Guardian" },
  },
  sv: {
    title: "Mer",
    todo: "Att göra",
    attendance: "Närvaro",
    calendar: "Kalender i telefonen",
    search: "Sök",
    people: "Personer",
    notes: "Anteckningar",
    news: "Nytt från skolan",
    inbox: "Från skolan",
    results: "Resultat",
    subjects: "Ämnen",
    classList: "Klasslista",
    staff: "Personal",
    files: "Filer och länkar",
    countdowns: "Nedräkningar",
    settings: "Inställningar",
    roles: { student: "Elev", teacher: "Lärare", guardian: "Vårdnadshavare" },
  },
});


export default function More() {
  const person = who.value;
  const { has } = useFeatures();
  if (!person) return null;
  const links: [string, string, IconName][] = [
    ["/app/todo", texts.todo, "flag"],
    ["/app/search", texts.search, "search"],
    ["/app/people", texts.people, "people"],
    ["/app/notes", texts.notes, "note"],
    ["/app/news", texts.news, "news"],
    ["/app/inbox", texts.inbox, "send"],
    ["/app/results", texts.results, "check"],
    ["/app/attendance", texts.attendance, "calendar"],
    ["/app/subjects", texts.subjects, "book"],
    ["/app/class", texts.classList, "group"],
    ["/app/staff", texts.staff, "people"],
    ["/app/files", texts.files, "attach"],
    ["/app/calendar", texts.calendar, "calendar"],
    ["/app/countdowns", texts.countdowns, "calendar"],
    ["/app/settings", texts.settings, "settings"],
  ];
  // A teacher has no subjects and no class of their own, and nobody has seen their inbox, files or results.
  const hidden = person.role === "teacher" ? ["todo", "attendance", "subjects", "class", "inbox", "files", "results"] : [];
  const off = (["news", "inbox", "results", "attendance", "staff", "files"] as const).filter((each) => !has(each));
  const first = person.role === "guardian" ? FOR_GUARDIANS.flatMap((page) => links.filter(([path]) => path === `/app/${page}`)) : [];
  const ordered = [...first, ...links.filter((each) => !first.includes(each))];
  const shown = ordered.filter(([path]) => ![...hidden, ...off].some((each) => path === `/app/${each}`));
  return (
    <Page title={texts.title}>
      <a class="card row" href="/app/settings/profile">
        <Avatar name={person.name} />
        <div class="row-main">
          <p class="row-title">{person.name}</p>
          <p class="quiet small">
            {ownName()} · {texts.roles[person.role]} · {person.session.organization.name}
          </p>
        </div>
      </a>
      <ul class="rows">
        {shown.map(([path, name, icon]) => (
          <li key={path}>
            <a class="row" href={path}>
              <Icon name={icon} />
              <span class="row-main row-title">{name}</span>
              <Icon name="forward" />
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}
