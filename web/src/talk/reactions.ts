/** The reactions there are, as they stand in a row. */

import type { Saying } from "../api/types";

export type ReactionName = NonNullable<Saying["reaction"]>;
export const REACTIONS = [
  "hello",
  "well_played",
  "thanks",
  "wow",
  "oops",
  "thinking",
] as const satisfies readonly ReactionName[];
