/** What a bot would do: asked for, shown, and forgotten when something happens. */

import type { TableApi } from "../api/client";
import type { Action, Hint } from "../api/types";
import { speech, t } from "../words/speech.svelte";
import { actionWithSpaces } from "./action_words";
import { chancesOf } from "./chances";
import type { Intent } from "./intent.svelte";
import { errorText } from "./problem_words";

export class Hints {
  hint: Hint | undefined = $state.raw();
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
      this.hint = await this.table.hint();
      return true;
    } catch (error) {
      this.intent.message = errorText(error);
      return false;
    } finally {
      this.thinking = false;
    }
  }

  forget(): void {
    this.hint = undefined;
  }
}
