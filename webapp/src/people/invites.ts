/** Invites into groups. */

import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";

export type Invite = Schemas["Invite"];

/** The open invites to the person. */
export async function readInvites(): Promise<Invite[]> {
  return (await good(api.GET("/api/group-invites"))).invites;
}

export async function answerInvite(inviteId: string, accept: boolean): Promise<void> {
  await good(api.PATCH("/api/group-invites", { body: { inviteId, accept } }));
}
