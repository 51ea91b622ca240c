/** How strong everybody at a rated table is, and what its result was worth; asked for where somebody looks. */

import type { TableApi } from "../api/client";
import type { RatedSeat, Rating, TableRatings } from "../api/types";
import { errorText } from "../table/problem_words";
import type { Telling } from "../words/speech.svelte";

/** A result is counted within seconds; it is asked for again so often. */
const AGAIN_MS = 1000;

/** Who sits there, as views and lists of tables tell it. */
interface Sitting {
  readonly status: string;
  readonly seats: readonly { readonly kind: string; readonly name: string | null; readonly level: string | null }[];
}

export class RatingsAt {
  told: TableRatings | undefined = $state.raw();
  problem: Telling | undefined = $state.raw();
  private asked = "";
  private again: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly table: TableApi) {}

  close(): void {
    this.asked = "";
    clearTimeout(this.again);
  }

  /** Ask, and again when others sit there, or the game has ended. */
  follow({ status, seats }: Sitting): void {
    const now = [status, ...seats.map(({ kind, name, level }) => `${kind} ${name ?? ""} ${level ?? ""}`)].join("\n");
    if (now === this.asked) return;
    this.asked = now;
    void this.ask();
  }

  async ask(): Promise<void> {
    clearTimeout(this.again);
    this.problem = undefined;
    const { asked } = this;
    try {
      const told = await this.table.ratings();
      if (asked !== this.asked) return; // something else is asked for by now
      this.told = told;
      if (told.state === "pending") this.again = setTimeout(() => void this.ask(), AGAIN_MS);
    } catch (error) {
      this.problem = () => errorText(error);
    }
  }

  /** How strong whoever sits there is, with what a result has changed; nothing where nobody known does. */
  of(seat: number): Rating | undefined {
    const found: RatedSeat | undefined = this.told?.seats[seat];
    return found?.after ?? found?.before ?? undefined;
  }
}
