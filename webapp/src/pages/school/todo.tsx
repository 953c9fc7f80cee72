import { useState } from "preact/hooks";
import { inLanguage } from "../../lib/language";
import { dayFromToday, dayOf, dueTimeIn } from "../../lib/school_time";
import { chooseChild } from "../../school/child";
import { lacksChild, NoChild } from "../../school/child_chooser";
import { setDone, useTodos, type Todo, type Unread } from "../../school/todo";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { Section } from "../../ui/section";
import { useQueue } from "../../ui/use_queue";

const texts = inLanguage({
  en: {
    title: "To do",
    about: "What you tick off is ticked off on all your devices, and only for you. The school does not see it.",
    missing: "Not handed in",
    week: "Due this week",
    exam: "Tests in the next three weeks",
    none: { missing: "Everything is handed in.", week: "Nothing more is due this week.", exam: "No tests that the school has entered." },
    unread: (names: string) => `${names ? `${names}: this` : "This"} cannot be read. The school's own page may show it.`,
    done: (title: string) => `${title}: done`,
  },
  sv: {
    title: "Att göra",
    about: "Det du bockar av är avbockat på alla dina enheter, och bara för dig. Skolan ser det inte.",
    missing: "Inte inlämnat",
    week: "Ska in den här veckan",
    exam: "Prov de närmaste tre veckorna",
    none: { missing: "Allt är inlämnat.", week: "Inget mer ska in den här veckan.", exam: "Inga prov som skolan har lagt in." },
    unread: (names: string) => `${names ? `${names}: det` : "Det"} här går inte att läsa. Skolans egen sida kanske visar det.`,
    done: (title: string) => `${title}: klart`,
  },
});

/** Missing work, what is due this week, and the next tests; a guardian sees all children together. */
export default function TodoPage() {
  return (
    <Page title={texts.title} back="/app/more">
      {lacksChild() ? <NoChild /> : <Todos />}
    </Page>
  );
}

function Todos() {
  const resource = useTodos();
  const { error, add } = useQueue();
  // What was ticked here and is on its way, so that it is shown at once.
  const [ticks, setTicks] = useState<Record<string, boolean>>({});
  const tick = async (todo: Todo, done: boolean) => {
    const key = keyOf(todo);
    setTicks((now) => ({ ...now, [key]: done }));
    await add(async () => {
      await setDone(todo, done);
      await resource.reload();
    });
    setTicks((now) => (now[key] === done ? without(now, key) : now));
  };
  return (
    <>
      <p class="quiet">{texts.about}</p>
      {error && <Notice kind="error">{error.message}</Notice>}
      <Loaded resource={resource}>
        {({ todos, unread = [] }) => (
          <>
            {(["missing", "week", "exam"] as const).map((kind) => (
              <Section key={kind} title={texts[kind]}>
                <Rows
                  todos={todos.filter((each) => each.kind === kind)}
                  unread={unread.filter((each) => each.kind === kind)}
                  none={texts.none[kind]}
                  isDone={(todo) => ticks[keyOf(todo)] ?? todo.done}
                  onTick={(todo, done) => void tick(todo, done)}
                />
              </Section>
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}

interface RowsProps {
  todos: Todo[];
  unread: Unread[];
  none: string;
  isDone: (todo: Todo) => boolean;
  onTick: (todo: Todo, done: boolean) => void;
}

function Rows({ todos, unread, ...rest }: RowsProps) {
  const names = unread.flatMap(({ child }) => child?.name ?? []);
  return (
    <>
      {unread.length > 0 && <Notice kind="warning">{texts.unread(names.join(", "))}</Notice>}
      {todos.length > 0 ? <List todos={todos} {...rest} /> : unread.length === 0 && <p class="quiet">{rest.none}</p>}
    </>
  );
}

function List({ todos, isDone, onTick }: Omit<RowsProps, "unread" | "none">) {
  return (
    <ul class="rows">
      {todos.map((todo, index) => (
        <li key={todo.id === null ? index : keyOf(todo)} class="row todo">
          {todo.id !== null && (
            <label class="todo-tick">
              <input
                type="checkbox"
                checked={isDone(todo)}
                aria-label={texts.done(nameOf(todo))}
                onChange={(event) => onTick(todo, event.currentTarget.checked)}
              />
            </label>
          )}
          <Words todo={todo} isDone={isDone(todo)} />
        </li>
      ))}
    </ul>
  );
}

function Words({ todo, isDone }: { todo: Todo; isDone: boolean }) {
  const { id, child } = todo;
  const words = (
    <>
      <span class={isDone ? "row-title todo-done" : "row-title"} dir="auto">
        {todo.title || todo.about}
      </span>
      {child && <span class="tag">{child.name}</span>}
      {todo.about && <span class="row-text">{todo.about}</span>}
      {todo.when && (
        <time class="row-text" dateTime={todo.when.replace(" ", "T")}>
          {dayFromToday(todo.when, dayOf(Date.now()))} {dueTimeIn(todo.when)}
        </time>
      )}
    </>
  );
  if (id === null) return <span class="row-main">{words}</span>;
  return (
    <a class="row-main" href={`/app/assignments/${id}`} onClick={() => child && chooseChild(child.id)}>
      {words}
    </a>
  );
}

const keyOf = ({ child, id }: Todo): string => `${child?.id ?? "own"} ${id}`;
const nameOf = ({ child, title, about }: Todo): string => [child?.name, title || about].filter(Boolean).join(", ");

function without(ticks: Record<string, boolean>, key: string): Record<string, boolean> {
  return Object.fromEntries(Object.entries(ticks).filter(([name]) => name !== key));
}
