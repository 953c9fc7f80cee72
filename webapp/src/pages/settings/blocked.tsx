import { api } from "../../api/client";
import { good } from "../../api/errors";
import { inLanguage } from "../../lib/language";
import { useBlocks } from "../../people/blocks";
import { PersonName } from "../../people/person_name";
import { Page } from "../../shell/page";
import { Avatar } from "../../ui/avatar";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { useAction } from "../../ui/use_action";

const texts = inLanguage({
  en: {
    title: "Blocked people",
    about: "You and the people here do not see each other, and cannot write to each other. They are not told.",
    none: "You have not blocked anybody.",
    unblock: "Unblock",
  },
  sv: {
    title: "Blockerade personer",
    about: "Du och personerna här ser inte varandra och kan inte skriva till varandra. De får inte veta det.",
    none: "Du har inte blockerat någon.",
    unblock: "Avblockera",
  },
});

/** Whom the person has blocked. */
export default function Blocked() {
  const resource = useBlocks();
  const { isRunning, error, run } = useAction();
  const unblock = (targetUsername: string) =>
    run(async () => {
      await good(api.DELETE("/api/blocks", { params: { query: { targetUsername } } }));
      await resource.reload();
    });
  return (
    <Page title={texts.title} back="/app/settings">
      <p class="quiet">{texts.about}</p>
      {error && <Notice kind="error">{error.message}</Notice>}
      <Loaded resource={resource}>
        {(blocks) =>
          blocks.length === 0 ? (
            <p class="empty">{texts.none}</p>
          ) : (
            <ul class="rows">
              {blocks.map(({ username, displayName, realName, userType, pfpUrl }, index) => (
                <li key={username} class="row">
                  <Avatar name={displayName || username} picture={pfpUrl || undefined} />
                  <div class="row-main">
                    <p class="row-title" id={`blocked-${index}`}>
                      <PersonName person={{ username, name: displayName || username, realName, role: userType }} />
                    </p>
                    <p class="row-text">{username}</p>
                  </div>
                  <button
                    type="button"
                    class="button-quiet"
                    disabled={isRunning}
                    aria-describedby={`blocked-${index}`}
                    onClick={() => void unblock(username)}
                  >
                    {texts.unblock}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}
