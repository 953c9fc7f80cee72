import { inLanguage } from "../../lib/language";
import { longDateInText, dayOf } from "../../lib/school_time";
import { personPath } from "../../people/person_row";
import { useOwnProfile, type OwnProfile } from "../../people/use_profile";
import { ownName } from "../../session/session";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { Picture } from "./picture";
import { ProfileForm } from "./profile_form";

const texts = inLanguage({
  en: {
    title: "Profile",
    see: "See your profile as others see it",
    warning: (day: string) => `Warning from the staff of your school, ${day}:`,
    avatar: "Your picture",
    cover: "Cover picture",
  },
  sv: {
    title: "Profil",
    see: "Se din profil som andra ser den",
    warning: (day: string) => `Varning från skolans personal, ${day}:`,
    avatar: "Din bild",
    cover: "Omslagsbild",
  },
});

/** What the person tells of themselves, and warnings that staff sent them. */
export default function Profile() {
  const resource = useOwnProfile();
  return (
    <Page title={texts.title} back="/app/settings">
      <Loaded resource={resource}>
        {(profile) => (
          <div class="stack">
            <Warnings warnings={profile.warnings} />
            <a class="button-quiet" href={personPath(ownName())}>
              {texts.see}
            </a>
            <section class="card stack">
              <Picture kind="avatar" title={texts.avatar} profile={profile} onChange={resource.reload} />
              <Picture kind="cover" title={texts.cover} profile={profile} onChange={resource.reload} />
            </section>
            <section class="card">
              <ProfileForm profile={profile} onSaved={resource.replace} />
            </section>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Warnings({ warnings }: { warnings: OwnProfile["warnings"] }) {
  return (
    <>
      {warnings.map(({ id, text, createdAt }) => (
        <Notice key={id} kind="warning">
          <b>{texts.warning(longDateInText(dayOf(createdAt)))}</b>
          <p class="warning-text">{text}</p>
        </Notice>
      ))}
    </>
  );
}
