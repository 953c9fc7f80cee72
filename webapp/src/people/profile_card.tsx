import type { ComponentChild } from "preact";
import type { Schemas } from "../api/client";
import { inLanguage } from "../lib/language";
import { Avatar } from "../ui/avatar";
import { RoleTag } from "./role_tag";

const texts = inLanguage({
  en: { realName: (name: string) => `Name at school: ${name}`, school: "School", location: "Location", website: "Website" },
  sv: { realName: (name: string) => `Namn i skolan: ${name}`, school: "Skola", location: "Ort", website: "Webbplats" },
});

export type Profile = Schemas["Person"];

/** What somebody tells of themselves. The name is the heading of the page. */
export function ProfileCard({ profile }: { profile: Profile }) {
  const facts: [string, string][] = [
    [texts.school, profile.schoolName],
    [texts.location, profile.location],
    [texts.website, profile.website],
    ["GitHub", profile.github],
    ["Instagram", profile.instagram],
    ["LinkedIn", profile.linkedin],
    ["X", profile.twitter],
  ];
  return (
    <section class="card profile-card">
      <Cover profile={profile} />
      <div class="profile-head">
        <Avatar name={profile.displayName || profile.username} picture={profile.pfpUrl || undefined} />
        <div class="row-main">
          <p class="quiet profile-username">{profile.username}</p>
          {profile.realName && <p>{texts.realName(profile.realName)}</p>}
          {profile.pronouns && <p dir="auto">{profile.pronouns}</p>}
          <RoleTag role={profile.userType} />
        </div>
      </div>
      {profile.bio && <p class="profile-bio" dir="auto">{profile.bio}</p>}
      <dl class="profile-facts">
        {facts.map(([name, value]) => value && <Fact key={name} name={name} value={value} />)}
      </dl>
    </section>
  );
}

function Cover({ profile: { coverUrl, accentColor } }: { profile: Profile }) {
  if (coverUrl) return <img class="profile-cover" src={coverUrl} alt="" decoding="async" />;
  return <div class="profile-cover" style={accentColor ? { background: accentColor } : {}} />;
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{linkOf(value)}</dd>
    </div>
  );
}

/** A link for web addresses only: anything else that somebody wrote stays text. */
function linkOf(value: string): ComponentChild {
  if (!/^https?:\/\//i.test(value)) return value;
  return (
    <a href={value} target="_blank" rel="noopener noreferrer nofollow">
      {value.replace(/^https?:\/\//i, "").replace(/\/$/, "")}
    </a>
  );
}
