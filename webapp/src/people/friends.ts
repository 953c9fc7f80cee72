/** The person's friends and the requests between them and others. */

import { effect, signal } from "@preact/signals";
import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { ownName, who } from "../session/session";

import { inOneLine, namesakes, type Named } from "./naming";

export type FriendList = Schemas["FriendList"];
export type Friendship = Schemas["Friendship"];
/** What somebody is to the person: a friend, somebody who was asked, or somebody who asks. */
export type Standing = "friend" | "asked" | "asking" | "none";

/** `undefined` until they were read. */
export const friends = signal<FriendList | undefined>(undefined);

effect(() => {
  if (who.value === null) friends.value = undefined;
});

export async function loadFriends(): Promise<FriendList> {
  friends.value = await good(api.GET("/api/friends"));
  return friends.value;
}

/** The username in a friendship that is not one's own. */
export const otherOf = ({ userA, userB }: Friendship): string => (userA === ownName() ? userB : userA);

/** How somebody in the list is named. */
export function namedIn(username: string, { profileMap }: FriendList): Named {
  const card = profileMap[username];
  return { username, name: card?.displayName || username, realName: card?.realName, role: card?.userType };
}

/** Those in the list who share a name with another. */
export const namesakesIn = (list: FriendList): ReadonlySet<string> =>
  namesakes(Object.keys(list.profileMap).map((username) => namedIn(username, list)));

/** The same in one line. */
export const lineFor = (username: string, list: FriendList): string =>
  inOneLine(namedIn(username, list), namesakesIn(list).has(username), list.profileMap[username]?.schoolName);

export function standingOf(username: string, list: FriendList | undefined): Standing {
  const holds = (friendships: Friendship[] = []) => friendships.some((each) => otherOf(each) === username);
  if (holds(list?.friends)) return "friend";
  if (holds(list?.sent)) return "asked";
  return holds(list?.received) ? "asking" : "none";
}

/** Asks somebody to be friends. Whoever asks somebody who asked already has a friend at once. */
export async function askToBeFriends(username: string): Promise<void> {
  await good(api.POST("/api/friends", { body: { targetUsername: username } }));
  await loadFriends();
}

export async function answerFriend(username: string, accept: boolean): Promise<void> {
  await good(api.PATCH("/api/friends", { body: { fromUsername: username, accept } }));
  await loadFriends();
}

/** Ends a friendship, or withdraws a request. */
export async function endFriendship(username: string): Promise<void> {
  await good(api.DELETE("/api/friends", { params: { query: { targetUsername: username } } }));
  await loadFriends();
}
