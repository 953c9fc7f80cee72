import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { useResource, type Resource } from "../lib/use_resource";

export type OwnProfile = Schemas["OwnProfile"];
export type ProfileChange = Schemas["ProfileFormRequest"];

/** One's own profile. */
export function useOwnProfile(): Resource<OwnProfile> {
  return useResource("profile", async () => (await good(api.GET("/api/profile"))).profile);
}

/** What is left out stays as it is. */
export async function changeProfile(change: ProfileChange): Promise<OwnProfile> {
  return (await good(api.PUT("/api/profile", { body: change }))).profile;
}
