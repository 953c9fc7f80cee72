import { inLanguage } from "../../lib/language";
import { areSettled } from "../../lib/use_resource";
import { changeProfile, useOwnProfile, type OwnProfile, type ProfileChange } from "../../people/use_profile";
import { who } from "../../session/session";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useQueue } from "../../ui/use_queue";

const texts = inLanguage({
  en: {
    title: "Privacy",
    who: "Who may start a chat with you?",
    everyone: "Everyone at my school",
    friends: "Friends only",
    nobody: "Nobody",
    others: "People of other schools always have to be your friends first.",
    adults: "Adults cannot start a chat with you unless you are friends.",
    found: "Others can find me",
    foundAbout:
      "Otherwise you are not in the search, and only people of your own school can ask whether you want to be friends.",
    blocked: "Blocked people",
  },
  sv: {
    title: "Integritet",
    who: "Vem får starta en chatt med dig?",
    everyone: "Alla på min skola",
    friends: "Bara vänner",
    nobody: "Ingen",
    others: "Personer från andra skolor måste alltid vara din vän först.",
    adults: "Vuxna kan inte starta en chatt med dig om ni inte är vänner.",
    found: "Andra kan hitta mig",
    foundAbout: "Annars syns du inte i sökningen, och bara personer på din egen skola kan fråga om du vill bli vän.",
    blocked: "Blockerade personer",
  },
});

const CHOICES = ["everyone", "friends", "nobody"] as const;

/** Who may write to the person, and who finds them. Every change is saved at once. */
export default function Privacy() {
  const resource = useOwnProfile();
  const { error, add } = useQueue();
  const change = (profile: OwnProfile, wanted: ProfileChange) => {
    resource.replace({ ...profile, ...wanted });
    void add(() => changeProfile(wanted)).then((wasSaved) => (wasSaved ? undefined : resource.reload()));
  };
  return (
    <Page title={texts.title} back="/app/settings">
      {error && <Notice kind="error">{error.message}</Notice>}
      <Loaded resource={resource}>
        {(profile) => (
          <section class="card stack">
            <fieldset>
              <legend class="legend">{texts.who}</legend>
              {CHOICES.map((choice) => (
                <label key={choice} class="check">
                  <input
                    type="radio"
                    name="dm-privacy"
                    checked={profile.dmPrivacy === choice}
                    onChange={() => change(profile, { dmPrivacy: choice })}
                  />
                  {texts[choice]}
                </label>
              ))}
              <p class="field-hint">
                {texts.others} {who.value?.role === "student" && texts.adults}
              </p>
            </fieldset>
            <div>
              <label class="check">
                <input
                  type="checkbox"
                  checked={profile.discoverable}
                  aria-describedby="found-about"
                  onChange={(event) => change(profile, { discoverable: event.currentTarget.checked })}
                />
                {texts.found}
              </label>
              <p id="found-about" class="field-hint">
                {texts.foundAbout}
              </p>
            </div>
          </section>
        )}
      </Loaded>
      {areSettled(resource) && (
        <a class="button-quiet" href="/app/settings/blocked">
          {texts.blocked}
        </a>
      )}
    </Page>
  );
}
