/** Which parts the first page has, in the order that the person chose. The layout is the service's, on all devices. */

import type { Schemas } from "../api/client";

type Layout = Schemas["Layout"];
type Widget = Layout["widgets"][number];

/** The widgets of the layout that this app shows, in their usual order. */
export const PARTS = ["schedule", "lunch", "homework", "messages", "news", "countdown"] as const;
export type Part = (typeof PARTS)[number];

export interface Arranged {
  part: Part;
  isShown: boolean;
}

const isPart = (name: string): name is Part => (PARTS as readonly string[]).includes(name);

/** Every part once: those of the layout in its order, then those that are hidden. */
export function arrangedBy(layout: Layout | null): Arranged[] {
  if (!layout) return PARTS.map((part) => ({ part, isShown: true }));
  const shown = new Set(layout.widgets.map(({ widgetId }) => widgetId as string).filter(isPart));
  const hidden = PARTS.filter((part) => !shown.has(part));
  return [...[...shown].map((part) => ({ part, isShown: true })), ...hidden.map((part) => ({ part, isShown: false }))];
}

/** The layout with these parts first. Widgets that only other apps show stay behind them. */
export function layoutOf(arranged: Arranged[], before: Layout | null): Layout {
  const old = before?.widgets ?? [];
  const shown = arranged.filter(({ isShown }) => isShown).map(({ part }) => part);
  const firsts = shown.map((part) => old.find(({ widgetId }) => widgetId === part) ?? newWidget(part));
  const kept = old.filter((each) => !firsts.includes(each) && (!isPart(each.widgetId) || shown.includes(each.widgetId)));
  return { version: 1, widgets: [...firsts, ...kept] };
}

const newWidget = (part: Part): Widget => ({ instanceId: `app-${part}`, widgetId: part, size: "4x1" });
