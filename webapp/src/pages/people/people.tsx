import { inLanguage } from "../../lib/language";
import { useResource } from "../../lib/use_resource";
import { friends, loadFriends } from "../../people/friends";
import { Friends, ReceivedRequests, SentRequests } from "../../people/friend_lists";
import { Search } from "../../people/search";
import { Page } from "../../shell/page";
import { Loaded } from "../../ui/loaded";
import { Invites } from "./invites";

const texts = inLanguage({ en: { title: "People" }, sv: { title: "Personer" } });

/** Friends, requests and invites, and the search for others. */
export default function People() {
  const resource = useResource("friends", loadFriends);
  return (
    <Page title={texts.title} back="/app/more">
      <Search />
      <Invites />
      <Loaded resource={resource}>
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
