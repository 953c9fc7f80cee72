/** What the school's system says, for the guardian's chosen child or the person themselves. */

import { api } from "../api/client";
import { good } from "../api/errors";
import type { Week } from "../lib/school_time";
import { useResource } from "../lib/use_resource";
import { currentChild } from "./child";

/** The query of the chosen child, and the key of its copies. */
function ofChild(): { query: { child?: string }; key: string } {
  const child = currentChild();
  return child ? { query: { child: child.id }, key: `child-${child.id}` } : { query: {}, key: "own" };
}

/** The lessons of a week; with null, nothing is read. */
export function useSchedule(wanted: Week | null) {
  const { query, key } = ofChild();
  return useResource(wanted && `lessons-${key}-${wanted.year}-${wanted.week}`, () =>
    good(api.GET("/api/schedule", { params: { query: { ...query, ...(wanted && { week: wanted.week }), parallel: "keep" } } })),
  );
}

export function useScheduleChanges(since: number) {
  const { query, key } = ofChild();
  return useResource(`changes-${key}`, () =>
    good(api.GET("/api/schedule/changes", { params: { query: { ...query, since } } })),
  );
}

export function useLunch({ week, year }: Week) {
  const { query, key } = ofChild();
  return useResource(`menu-${key}-${year}-${week}`, () =>
    good(api.GET("/api/lunch", { params: { query: { ...query, week } } })),
  );
}

export function useAssignments({ week, year }: Week) {
  const { query, key } = ofChild();
  return useResource(`assignments-${key}-${year}-${week}`, () =>
    good(api.GET("/api/assignments/week", { params: { query: { ...query, week, year } } })),
  );
}

export function useNews() {
  const { query, key } = ofChild();
  return useResource(`news-${key}`, () => good(api.GET("/api/news", { params: { query } })));
}

export function useArticles(type: "current" | "older") {
  const { query, key } = ofChild();
  return useResource(`articles-${key}-${type}`, () =>
    good(api.GET("/api/news/articles", { params: { query: { ...query, type } } })),
  );
}

export function useArticle(number: string) {
  const { query, key } = ofChild();
  return useResource(`article-${key}-${number}`, () =>
    good(api.GET("/api/news/{number}", { params: { path: { number }, query } })),
  );
}

export function useInbox() {
  return useResource(`inbox-${ofChild().key}`, () => readInbox());
}

/** A page of the inbox; `cursor` is `next` of the page before. */
export function readInbox(cursor?: string) {
  const { query } = ofChild();
  return good(api.GET("/api/inbox", { params: { query: cursor ? { ...query, cursor } : query } }));
}

export function useInboxMessage(number: string) {
  const { query, key } = ofChild();
  return useResource(`inbox-message-${key}-${number}`, () =>
    good(api.GET("/api/inbox/{number}", { params: { path: { number }, query } })),
  );
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

export function useClassList() {
  const { query, key } = ofChild();
  return useResource(`class-${key}`, () => good(api.GET("/api/people/class", { params: { query } })));
}

export function useCountdowns() {
  return useResource("countdowns", () => good(api.GET("/api/countdowns")));
}
