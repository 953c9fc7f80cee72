import type { ComponentChildren } from "preact";
import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { whenOf } from "../lib/school_time";
import { Icon } from "../ui/icon";
import { ICONS } from "./kinds";
import { pathOf } from "./paths";
import { ScheduleChanges } from "./schedule_changes";

const texts = inLanguage({ en: { unread: "New", remove: "Delete" }, sv: { unread: "Ny", remove: "Ta bort" } });

export type Notification = Schemas["Notification"];

interface Props {
  notification: Notification;
  now: number;
  onRead: () => void;
  onDelete: () => void;
}

/** One notification: leads to what it is about. */
export function NotificationRow({ notification, now, onRead, onDelete }: Props) {
  const { id, kind, title, body, createdAt, readAt, data } = notification;
  const isUnread = readAt === null;
  const titleId = `notification-${id}`;
  return (
    <li class="notification" data-unread={isUnread || undefined}>
      <Target path={pathOf(notification)} onClick={isUnread ? onRead : () => undefined}>
        <span class="notification-icon">
          <Icon name={ICONS[kind]} />
        </span>
        <span class="row-main">
          <span class="row-title" id={titleId}>
            {title}
          </span>
          {body && !data.changes && <span class="notification-body">{body}</span>}
          <span class="quiet small">
            <time dateTime={new Date(createdAt).toISOString()}>{whenOf(createdAt, now)}</time>{" "}
            {isUnread && <span class="tag tag-accent">{texts.unread}</span>}
          </span>
        </span>
      </Target>
      <button type="button" class="button-icon" aria-label={texts.remove} aria-describedby={titleId} onClick={onDelete}>
        <Icon name="trash" />
      </button>
      {data.changes && <ScheduleChanges changes={data.changes} />}
    </li>
  );
}

interface TargetProps {
  path: string | undefined;
  onClick: () => void;
  children: ComponentChildren;
}

/** A link where the notification leads somewhere; else a button, which marks it as read. */
function Target({ path, onClick, children }: TargetProps) {
  if (path) {
    return (
      <a class="row" href={path} onClick={onClick}>
        {children}
      </a>
    );
  }
  return (
    <button type="button" class="row" onClick={onClick}>
      {children}
    </button>
  );
}
