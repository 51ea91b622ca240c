/** What leads through what happened since one's last turn: fetched together, when somebody comes back or asks. */

import { framesSince } from "./frames";
import Past from "./Past.svelte";
import SinceButton from "./SinceButton.svelte";

export { framesSince, Past, SinceButton };
