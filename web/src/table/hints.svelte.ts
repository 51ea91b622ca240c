/** What a bot would do, and why: asked for, shown, and forgotten when something happens. */

import type { TableApi } from "../api/client";
import type { Action, Hint } from "../api/types";
import { speech, t } from "../words/speech.svelte";
import { actionWithSpaces } from "./action_words";
import { chancesOf } from "./chances";
import type { Intent } from "./intent.svelte";
import { errorText } from "./problem_words";

/** A reason in words, and whether it tells what the action gives up. */
export interface ToldReason {
  readonly text: string;
  readonly costs: boolean;
}

/** As many as a hint is told with; the weightiest come first. */
const MOST_REASONS = 4;

export class Hints {
  hint: Hint | undefined = $state.raw();
  /** Tells reasons. Without it, as where it could not be fetched, a hint has none. */
  private teller: typeof import("../teaching/reason_words") | undefined = $state.raw();
  thinking = $state(false);

  constructor(
    private readonly intent: Intent,
    private readonly table: TableApi,
  ) {}

  /** The action that is advised, while it can be done. */
  get action(): Action | undefined {
    const line = this.hint?.action;
    return line === undefined ? undefined : this.intent.legal.find((action) => action.line === line);
  }

  get text(): string {
    if (this.hint === undefined) return "";
    if (this.action?.kind === "end") return t("hint.end");
    return t("hint.suggest", {
      action: this.action === undefined ? this.hint.action : actionWithSpaces(this.action),
    });
  }

  /** What speaks for it, then what it gives up, of which half as much is told; `names` are those of the seats. */
  reasons(names: readonly string[], most = MOST_REASONS): readonly ToldReason[] {
    const { teller } = this;
    if (teller === undefined) return [];
    const all = (this.hint?.reasons ?? []).map((reason) => ({
      text: teller.reasonText(reason, names),
      costs: teller.costs(reason),
    }));
    const costs = all.filter((reason) => reason.costs).slice(0, most / 2);
    return [...all.filter((reason) => !reason.costs).slice(0, most - costs.length), ...costs];
  }

  private async fetchTeller(): Promise<void> {
    try {
      const found = await import("../teaching/reason_words");
      await found.ready();
      this.teller = found;
    } catch {
      // the hint itself is there all the same
    }
  }

  /** How likely a seat is to win, as the bot sees it. */
  chanceOf(seat: number): string | undefined {
    const value = chancesOf(this.hint?.value ?? [])[seat];
    return value === undefined ? undefined : new Intl.NumberFormat(speech.language, { style: "percent" }).format(value);
  }

  /** Whether an answer came. */
  async ask(): Promise<boolean> {
    if (this.table.token === undefined) return false;
    this.thinking = true;
    try {
      const [hint] = await Promise.all([this.table.hint(), this.fetchTeller()]);
      this.hint = hint;
      return true;
    } catch (error) {
      this.intent.message = () => errorText(error);
      return false;
    } finally {
      this.thinking = false;
    }
  }

  forget(): void {
    this.hint = undefined;
  }
}
