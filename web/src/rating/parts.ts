/** What a rated table shows of ratings: fetched together, where a table is rated. */

import { RatingsAt } from "./ratings_at.svelte";
import SeatStrength from "./SeatStrength.svelte";
import Worth from "./Worth.svelte";

export { RatingsAt, SeatStrength, Worth };
