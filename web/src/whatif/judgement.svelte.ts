/** What everybody's chances are along a line that is tried: asked for where one stays, shown with how they changed. */

import type { TableView } from "../api/types";
import { chancesOf } from "../table/chances";
import { errorText } from "../table/problem_words";
import type { Telling } from "../words/speech.svelte";
import type { CopyTable } from "./copy_table.svelte";

/** So long one stays at a place before it is judged; the beginning is judged at once, to tell what changed. */
const STAYS_MS = 250;

export class Judgement {
  /** Everybody's chances where the copy stands, once they are known. */
  now: readonly number[] | undefined = $state.raw();
  /** And where it began. */
  start: readonly number[] | undefined = $state.raw();
  problem: Telling | undefined = $state.raw();

  constructor(private readonly copy: CopyTable) {}

  /** Judge what is shown. What is returned gives it up. */
  look(view: TableView): () => void {
    this.now = undefined;
    this.problem = undefined;
    let wanted = true;
    const begins = this.copy.at === 0;
    const found = (chances: readonly number[]): void => {
      if (begins) this.start = chances;
      if (wanted) this.now = chances;
    };
    const winners = view.result?.winners;
    if (winners !== undefined) {
      found(view.seats.map(({ seat }) => (winners.includes(seat) ? 1 / winners.length : 0)));
      return () => undefined;
    }
    const ask = (): void => void this.ask(found, () => wanted);
    const waiting = begins ? undefined : setTimeout(ask, STAYS_MS);
    if (begins) ask();
    return () => {
      wanted = false;
      clearTimeout(waiting);
    };
  }

  private async ask(found: (chances: readonly number[]) => void, wanted: () => boolean): Promise<void> {
    try {
      found(chancesOf((await this.copy.hint()).value ?? []));
    } catch (error) {
      if (wanted()) this.problem = () => errorText(error);
    }
  }

  /** How much a seat has won or lost since the copy began, in hundredths. */
  change(seat: number): number | undefined {
    const [now, start] = [this.now?.[seat], this.start?.[seat]];
    return now === undefined || start === undefined ? undefined : Math.round(100 * now) - Math.round(100 * start);
  }
}
