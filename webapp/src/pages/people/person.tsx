import { useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { good } from "../../api/errors";
import { dropCopy } from "../../device/store";
import { inLanguage } from "../../lib/language";
import { useResource } from "../../lib/use_resource";
import { ContactButtons } from "../../people/contact_buttons";
import { friends } from "../../people/friends";
import { ProfileCard } from "../../people/profile_card";
import { SafetyButtons } from "../../people/safety_buttons";
import { ownName } from "../../session/session";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";

const texts = inLanguage({
  en: {
    nobody: "There is nobody here with the name",
    nobodyTitle: "Nobody here",
    allTheSame: "If you have met them here, you can report or block them all the same.",
    edit: "Change your profile",
    blocked: "You have blocked this person. You do not see each other any more.",
    blockedList: "People you have blocked",
  },
  sv: {
    nobody: "Det finns ingen här med namnet",
    nobodyTitle: "Ingen här",
    allTheSame: "Om du har träffat personen här kan du anmäla eller blockera ändå.",
    edit: "Ändra din profil",
    blocked: "Du har blockerat personen. Ni ser inte varandra längre.",
    blockedList: "Personer som du har blockerat",
  },
});

/** Somebody's profile, and what one can do: write, be friends, block, report. */
export default function Person() {
  // The router has decoded it.
  const username = useRoute().params.username ?? "";
  // With the username as key, nothing of one person is left on the page of the next.
  return <PersonPage key={username} username={username} />;
}

function PersonPage({ username }: { username: string }) {
  const copy = `person:${username}`;
  const resource = useResource(copy, async () => {
    return (await good(api.GET("/api/profile/{username}", { params: { path: { username } } }))).profile;
  });
  const [isBlocked, setBlocked] = useState(false);
  const name = resource.data?.displayName || username;
  const isNobody = resource.error?.status === 404;
  const onBlocked = () => {
    setBlocked(true);
    friends.value = undefined; // a block ends a friendship
    void dropCopy(copy);
  };
  return (
    <Page title={isNobody ? texts.nobodyTitle : name} back="/app/people">
      {isBlocked && (
        <Notice>
          {texts.blocked} <a href="/app/settings/blocked">{texts.blockedList}</a>
        </Notice>
      )}
      {isNobody && (
        <div class="stack">
          <p class="empty">
            {texts.nobody} <b>{username}</b>.
          </p>
          {/* The same for an unknown name as for somebody who has blocked one. */}
          {!isBlocked && <p>{texts.allTheSame}</p>}
          {!isBlocked && <SafetyButtons username={username} name={username} onBlocked={onBlocked} />}
        </div>
      )}
      {!isBlocked && !isNobody && (
        <Loaded resource={resource}>
          {(profile) => (
            <div class="stack">
              <ProfileCard profile={profile} />
              {username === ownName() ? (
                <a class="button-quiet" href="/app/settings/profile">
                  {texts.edit}
                </a>
              ) : (
                <>
                  <ContactButtons username={username} name={name} contact={profile.contact} reload={resource.reload} />
                  <SafetyButtons username={username} name={name} onBlocked={onBlocked} />
                </>
              )}
            </div>
          )}
        </Loaded>
      )}
    </Page>
  );
}
