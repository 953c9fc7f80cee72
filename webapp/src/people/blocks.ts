/** Whom the person has blocked. */

import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { useResource, type Resource } from "../lib/use_resource";

export type Block = Schemas["Block"];

/** Not read while it is not wanted. */
export const useBlocks = (isWanted = true): Resource<Block[]> =>
  useResource(isWanted ? "blocks" : null, async () => (await good(api.GET("/api/blocks"))).blocks);
