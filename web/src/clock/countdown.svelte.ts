/**
 * Clocks as this page shows them. The server tells what time it is for clocks (`ran`) with every view; from there the
 * page counts on by its own steady clock, which nobody sets.
 */

import type { TableView } from "../api/types";
import type { Following } from "../table/live.svelte";

const TICK_MS = 250;

export interface SeatTime {
  /** Seconds left in all, where this seat's clock runs. */
  readonly left: number | undefined;
  readonly reserve: number;
  /** Seconds of vacation still to come, where the seat is on vacation. */
  readonly away: number | undefined;
}

export class Countdown {
  private now = $state(performance.now() / 1000);
  private readonly ticking = setInterval(() => (this.now = performance.now() / 1000), TICK_MS);

  constructor(private readonly live: Following) {}

  close(): void {
    clearInterval(this.ticking);
  }

  of({ clock }: TableView, seat: number): SeatTime | undefined {
    const own = clock?.seats[seat];
    if (!clock || own === undefined || this.live.ranAhead === undefined) return undefined;
    const ran = this.now + this.live.ranAhead;
    const left = clock.seat === seat && clock.deadline !== null ? Math.max(0, clock.deadline - ran) : undefined;
    const away = own.vacation_until === null ? 0 : own.vacation_until - ran;
    return {
      left,
      reserve: Math.min(own.reserve, left ?? own.reserve),
      away: away > 0 ? away : undefined,
    };
  }
}
