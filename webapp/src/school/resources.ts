/**
 * What the school's system says, for the guardian's chosen child or the person themselves. Where null can
 * be given, nothing is read then.
 */

import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { readCopies } from "../device/store";
import { addDays, type Day, type Week } from "../lib/school_time";
import { useResource } from "../lib/use_resource";
import { who } from "../session/session";
import { currentChild } from "./child";
import { askedChildren, ofEach, useOfEachChild } from "./each_child";

/** The query of the chosen child, and the key of its copies. */
function ofChild(): { query: { child?: string }; key: string } {
  const child = currentChild();
  return child ? { query: { child: child.id }, key: `child-${child.id}` } : { query: {}, key: "own" };
}

export function useSchedule(wanted: Week | null) {
  const { query, key } = ofChild();
  return useResource(wanted && `lessons-${key}-${wanted.year}-${wanted.week}`, () =>
    good(api.GET("/api/schedule", { params: { query: { ...query, ...(wanted && { week: wanted.week }), parallel: "keep" } } })),
  );
}

/** What changed in the days before this one. */
export function useScheduleChanges(today: Day | null, days: number) {
  const { query, key } = ofChild();
  return useResource(today && `changes-${key}-${days}`, () => {
    const since = today ? { since: Date.parse(addDays(today, -days)) } : {};
    return good(api.GET("/api/schedule/changes", { params: { query: { ...query, ...since } } }));
  });
}

export function useLunch(wanted: Week | null) {
  const { query, key } = ofChild();
  return useResource(wanted && `menu-${key}-${wanted.year}-${wanted.week}`, () =>
    good(api.GET("/api/lunch", { params: { query: { ...query, ...(wanted && { week: wanted.week }) } } })),
  );
}

export function useAssignments(wanted: Week | null) {
  const { query, key } = ofChild();
  return useResource(wanted && `assignments-${key}-${wanted.year}-${wanted.week}`, () =>
    good(api.GET("/api/assignments/week", { params: { query: { ...query, ...wanted } } })),
  );
}

/** What the school has noted about the lessons of a week. Not for teachers. */
export function useAttendance(wanted: Week | null) {
  const { query, key } = ofChild();
  const isWanted = wanted && who.value?.role !== "teacher";
  return useResource(isWanted ? `attendance-${key}-${wanted.year}-${wanted.week}` : null, () =>
    good(api.GET("/api/attendance", { params: { query: { ...query, ...wanted } } })),
  );
}

/** Exams and homework of a week. Not for teachers. */
export function useExams(monday: Day | null) {
  const { query, key } = ofChild();
  const isWanted = monday && who.value?.role !== "teacher";
  return useResource(isWanted ? `exams-${key}-${monday}` : null, () => {
    const days = monday ? { from: monday, to: addDays(monday, 6) } : {};
    return good(api.GET("/api/exams", { params: { query: { ...query, ...days } } }));
  });
}

export function useNews() {
  const { query, key } = ofChild();
  return useResource(`news-${key}`, () => good(api.GET("/api/news", { params: { query } })));
}

export function useArticles(type: "current" | "older" | null) {
  const { query, key } = ofChild();
  return useResource(type && `articles-${key}-${type}`, () =>
    good(api.GET("/api/news/articles", { params: { query: { ...query, ...(type && { type }) } } })),
  );
}

/** The articles of each child. */
export function useArticlesOfEach(type: "current" | "older") {
  return useOfEachChild(`articles-${type}`, ({ query }) =>
    good(api.GET("/api/news/articles", { params: { query: { ...query, type } } })),
  );
}

/** The child of an article or a message: the one that a link names, else the chosen one. */
function ofNamed(child: string | undefined) {
  return child ? { query: { child }, key: `child-${child}` } : ofChild();
}

export function useArticle(number: string, child: string | undefined) {
  const { query, key } = ofNamed(child);
  return useResource(`article-${key}-${number}`, () =>
    good(api.GET("/api/news/{number}", { params: { path: { number }, query } })),
  );
}

/** The first page of the inbox, for each child. */
export function useInbox() {
  return useOfEachChild("inboxes", ({ query }) => good(api.GET("/api/inbox", { params: { query } })));
}

/** The pages at these cursors, by the key of each child. */
export function readInbox(cursors: Map<string, string>) {
  const asked = askedChildren().filter(({ key }) => cursors.has(key));
  return ofEach(asked, ({ query, key }) =>
    good(api.GET("/api/inbox", { params: { query: { ...query, cursor: cursors.get(key) ?? "" } } })),
  );
}

export function useInboxMessage(number: string, child: string | undefined) {
  const { query, key } = ofNamed(child);
  return useResource(`inbox-message-${key}-${number}`, () =>
    good(api.GET("/api/inbox/{number}", { params: { path: { number }, query } })),
  );
}

export function useAssessments() {
  const { query, key } = ofChild();
  return useResource(`assessments-${key}`, () => good(api.GET("/api/assessments", { params: { query } })));
}

export function useAssessment(number: string) {
  const { query, key } = ofChild();
  return useResource(`assessment-${key}-${number}`, () =>
    good(api.GET("/api/assessments/{number}", { params: { path: { number }, query } })),
  );
}

export function useStaff() {
  const { query, key } = ofChild();
  return useResource(`staff-${key}`, () => good(api.GET("/api/school/staff", { params: { query } })));
}

export function useFiles() {
  const { query, key } = ofChild();
  return useResource(`files-${key}`, () => good(api.GET("/api/files", { params: { query } })));
}

export function useSubjects() {
  const { query, key } = ofChild();
  return useResource(`subjects-${key}`, () => good(api.GET("/api/subjects", { params: { query } })));
}

export function useSubject(room: string) {
  const { query, key } = ofChild();
  return useResource(`subject-${key}-${room}`, () =>
    good(api.GET("/api/subjects/{room}", { params: { path: { room }, query } })),
  );
}

export function useAssignment(number: string, type: "assignment" | "planning") {
  const { query, key } = ofChild();
  return useResource(`assignment-${key}-${type}-${number}`, () =>
    good(api.GET("/api/assignment/{number}", { params: { path: { number }, query: { ...query, type } } })),
  );
}

export function usePlanning(number: string) {
  const { query, key } = ofChild();
  return useResource(`planning-${key}-${number}`, () =>
    good(api.GET("/api/plannings/{number}", { params: { path: { number }, query } })),
  );
}

/** The articles, messages of the school and assignments that were read on this device. */
export async function readHere(): Promise<{ path: string; title: string; text: string }[]> {
  const { key } = ofChild();
  const [articles, messages, assignments] = await Promise.all([
    readCopies<{ article: Schemas["Article"] }>(`article-${key}-`),
    readCopies<Schemas["InboxMessage"]>(`inbox-message-${key}-`),
    readCopies<Schemas["Assignment"]>(`assignment-${key}-assignment-`),
  ]);
  return [
    ...articles.map(({ name, data: { article } }) => ({ path: `/app/news/${name}`, title: article.title, text: article.text })),
    ...messages.map(({ name, data: { message } }) => ({ path: `/app/inbox/${name}`, title: message.subject, text: message.text })),
    ...assignments.map(({ name, data: { assignment } }) => ({
      path: `/app/assignments/${name}`,
      title: assignment.title,
      text: textOfHtml(assignment.description ?? ""),
    })),
  ];
}

const textOfHtml = (html: string): string =>
  new DOMParser().parseFromString(html.replace(/<(?:br|\/p|\/li|\/div)\b/giu, " $&"), "text/html").body.textContent ?? "";

export function useClassList() {
  const { query, key } = ofChild();
  return useResource(`class-${key}`, () => good(api.GET("/api/people/class", { params: { query } })));
}

/** How the first page is arranged: the person's own, whichever child is chosen. */
export function useLayout() {
  return useResource("layout", () => good(api.GET("/api/layout")));
}

export function useCountdowns() {
  return useResource("countdowns", () => good(api.GET("/api/countdowns")));
}
