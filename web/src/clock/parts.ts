/** What shows the clocks of a table: fetched together, where there are any. */

import ClockFace from "./ClockFace.svelte";
import { Countdown } from "./countdown.svelte";
import TurnClock from "./TurnClock.svelte";

export { ClockFace, Countdown, TurnClock };
