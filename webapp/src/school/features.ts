/** What the school has switched on, and where its own pages are. */

import { api, type Schemas } from "../api/client";
import { good } from "../api/errors";
import { useResource } from "../lib/use_resource";
import { askedChildren } from "./each_child";

type Answer = Schemas["Features"];
export type Feature = keyof Answer["features"];
export type SchoolPage = keyof Answer["pages"];

interface Features {
  /** Not where the school has switched it off, for each child of a guardian. Until it is known, it is there. */
  has: (feature: Feature) => boolean;
  /** The address of a page of the school itself. */
  pageOf: (page: SchoolPage) => string | undefined;
}

export function useFeatures(): Features {
  const asked = askedChildren();
  const { data } = useResource(asked.length > 0 ? `features-${asked.map(({ key }) => key).join("-")}` : null, () =>
    Promise.all(asked.map(({ query }) => good(api.GET("/api/features", { params: { query } })))),
  );
  return {
    has: (feature) => !data || data.some((answer) => answer.features[feature] !== false),
    pageOf: (page) => data?.[0]?.pages[page],
  };
}
