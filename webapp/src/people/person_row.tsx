import type { ComponentChildren } from "preact";
import { inLanguage } from "../lib/language";
import { Avatar } from "../ui/avatar";
import type { Role } from "./naming";
import { PersonName } from "./person_name";
import type { Presence } from "./presence";

const texts = inLanguage({
  en: { online: "Online", idle: "Away", offline: "Not online" },
  sv: { online: "Inne", idle: "Borta en stund", offline: "Inte inne" },
});

interface Props {
  username: string;
  name?: string | undefined;
  picture?: string | undefined;
  /** Below the name, such as the school. */
  about?: string | undefined;
  presence?: Presence | undefined;
  role?: Role | undefined;
  /** The name at school, where the other one reads differently. */
  realName?: string | null | undefined;
  /** Whether somebody else in the list has the same name. */
  isNamesake?: boolean;
  /** Buttons after the person. They are described by `describedBy(username)`. */
  children?: ComponentChildren;
}

export const personPath = (username: string): string => `/app/people/${encodeURIComponent(username)}`;

/** The id of the element with the person's name, for the `aria-describedby` of a button beside it. */
export const describedBy = (username: string): string => `person-${encodeURIComponent(username)}`;

/** A person in a list: leads to their profile. */
export function PersonRow({ username, name, picture, about, presence, role, realName, isNamesake = false, children }: Props) {
  const shown = name || username;
  return (
    <li class="person-row">
      <a class="row" href={personPath(username)}>
        <span class="person-picture">
          <Avatar name={shown} picture={picture || undefined} />
          {presence && presence !== "offline" && <span class={`presence presence-${presence}`} />}
        </span>
        <span class="row-main">
          <span class="row-title" id={describedBy(username)}>
            <PersonName person={{ username, name: shown, realName, role }} isNamesake={isNamesake} />
          </span>
          {about && <span class="row-text">{about}</span>}
          {presence && <span class="visually-hidden">{texts[presence]}</span>}
        </span>
      </a>
      {children && <div class="person-buttons">{children}</div>}
    </li>
  );
}
