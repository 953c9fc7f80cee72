import { inLanguage } from "../../lib/language";
import { useResource } from "../../lib/use_resource";
import { friends, loadFriends } from "../../people/friends";
import { Friends, ReceivedRequests, SentRequests } from "../../people/friend_lists";
import { readInvites } from "../../people/invites";
import { Search } from "../../people/search";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Invites } from "./invites";

const texts = inLanguage({ en: { title: "People" }, sv: { title: "Personer" } });

/** Friends, requests and invites, and the search for others. */
export default function People() {
  const resource = useResource("friends", loadFriends);
  const invites = useResource("invites", readInvites);
  const reload = async () => void (await Promise.all([resource.reload(), invites.reload()]));
  return (
    <Page title={texts.title} back="/app/more">
      <Search />
      <Invites resource={invites} isErrorShown={resource.error !== undefined} />
      <Loaded resource={{ ...resource, reload }}>
        {(read) => {
          // What a request or an event of the socket changed is newer than what this page read.
          const list = friends.value ?? read;
          return (
            <div class="stack">
              <ReceivedRequests list={list} />
              <Friends list={list} />
              <SentRequests list={list} />
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}
