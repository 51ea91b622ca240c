/** A copy of a game to try lines on, asked as a table is. Whoever keeps tables plays it, and keeps nothing of it. */

import { ask, type House, TableApi } from "../api/client";
import type { AnimalOutlook, BoardAfter, Hint, TurnSoFar, Update, WhyAnswer } from "../api/types";

export class CopyTable extends TableApi {
  override readonly isCopy = true;
  /** The line that is tried; what comes after `at` has been taken back and can be played again. */
  line: readonly string[] = $state.raw([]);
  at = $state(0);

  private readonly updates = new Map<string, Promise<Update>>();
  private readonly hints = new Map<string, Promise<Hint>>();

  constructor(
    house: House,
    private readonly original: object,
  ) {
    super(house, house.transport, "", "");
  }

  /** Where the copy stands. */
  get played(): readonly string[] {
    return this.line.slice(0, this.at);
  }

  private tried<Told>(question: string, actions: readonly string[], more = {}): Promise<Told> {
    return ask(this.house.transport, `whatif${question}`, { body: { game: this.original, actions, ...more } });
  }

  /** How it stands after a line, and what happened on the way. */
  reached(actions: readonly string[]): Promise<Update> {
    return remembered(this.updates, actions, () => this.tried("", actions));
  }

  /** What everybody's chances are after a line, and what the judge would do there. */
  judged(actions: readonly string[]): Promise<Hint> {
    return remembered(this.hints, actions, () => this.tried("/hint", actions));
  }

  override hint(): Promise<Hint> {
    return this.judged(this.played);
  }
  override why(asked: readonly string[]): Promise<WhyAnswer> {
    return this.tried("/why", this.played, { asked });
  }
  override animal(seat: number): Promise<AnimalOutlook> {
    return this.tried("/animal", this.played, { seat });
  }
  /** What a turn costs that is played from the beginning of the copy, and which is the best. */
  turnJudged(turn: readonly string[]): Promise<TurnSoFar> {
    return this.tried("/turn", turn);
  }
  override after(action: string): Promise<BoardAfter> {
    return this.tried("/after", this.played, { action });
  }
}

/** What was asked before is not asked again, unless no answer came. */
function remembered<Told>(
  known: Map<string, Promise<Told>>,
  actions: readonly string[],
  find: () => Promise<Told>,
): Promise<Told> {
  const key = actions.join(",");
  const found = known.get(key) ?? find();
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}
