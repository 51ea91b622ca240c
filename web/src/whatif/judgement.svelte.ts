/** What everybody's chances are along a line that is tried: asked for where one stays, shown with how they changed. */

import { ServerError } from "../api/transport";
import type { TableView } from "../api/types";
import { chancesOf } from "../table/chances";
import { errorText } from "../table/problem_words";
import type { Telling } from "../words/speech.svelte";
import type { CopyTable } from "./copy_table.svelte";

type Chances = readonly number[];

/** So long one stays at a place before it is judged: whoever goes on at once does not want to know. */
const STAYS_MS = 250;

export class Judgement {
  /** Everybody's chances where the copy stands, once they are known. */
  now: Chances | undefined = $state.raw();
  /** And where it began. */
  start: Chances | undefined = $state.raw();
  problem: Telling | undefined = $state.raw();
  private closed = false;

  constructor(private readonly copy: CopyTable) {
    void this.ask(
      [],
      () => !this.closed,
      (chances) => (this.start = chances),
    );
  }

  close(): void {
    this.closed = true;
  }

  /** Judge what is shown. What is returned gives it up. */
  look(view: TableView): () => void {
    this.now = undefined;
    this.problem = undefined;
    const winners = view.result?.winners;
    if (winners !== undefined) {
      this.now = view.seats.map(({ seat }) => (winners.includes(seat) ? 1 / winners.length : 0));
      return () => undefined;
    }
    let wanted = true;
    const { played } = this.copy;
    const ask = (): void =>
      void this.ask(
        played,
        () => wanted,
        (chances) => (this.now = chances),
      );
    const waiting = setTimeout(ask, played.length === 0 ? 0 : STAYS_MS);
    return () => {
      wanted = false;
      clearTimeout(waiting);
    };
  }

  /** As long as the answer is wanted, and as often as somebody says when to ask again. */
  private async ask(
    actions: readonly string[],
    wanted: () => boolean,
    found: (chances: Chances) => void,
  ): Promise<void> {
    while (wanted()) {
      try {
        const { value } = await this.copy.judged(actions);
        if (!wanted()) return;
        this.problem = undefined;
        found(chancesOf(value ?? []));
        return;
      } catch (error) {
        if (!wanted()) return;
        this.problem = () => errorText(error);
        const again = error instanceof ServerError ? error.problem.retry_after : undefined;
        if (again === undefined || again === null) return;
        await new Promise((resolve) => setTimeout(resolve, 1000 * again));
      }
    }
  }

  /** How much a seat has won or lost since the copy began, in hundredths. */
  change(seat: number): number | undefined {
    const [now, start] = [this.now?.[seat], this.start?.[seat]];
    return now === undefined || start === undefined ? undefined : Math.round(100 * now) - Math.round(100 * start);
  }
}
