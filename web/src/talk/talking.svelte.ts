/** The talk of a table on the screen: who is heard, what is new, whether it stands open. */

import { untrack } from "svelte";
import type { Saying } from "../api/types";
import { withSound } from "../app/sound";
import { announce } from "../parts/announce.svelte";
import { calledAt } from "../table/seat_names";
import type { TableScreen } from "../table/table_screen.svelte";
import { t } from "../words/speech.svelte";
import { mute, mutedAt } from "./muted";
import type { TalkLine } from "./talk_line.svelte";

/** What somebody said, for those who cannot see a drawing. */
export function sayingText({ reaction, text }: Saying): string {
  return reaction === null ? (text ?? "") : t(`talk.reaction.${reaction}`);
}

export class Talking {
  open = $state(false);
  muted: ReadonlySet<number> = $state.raw(new Set());
  readonly said: readonly Saying[] = $derived.by(() => this.line.said.filter(({ seat }) => !this.muted.has(seat)));
  /** The last thing that was seen. */
  private seen = $state(0);
  readonly unread: number = $derived.by(() =>
    this.open ? 0 : this.said.filter(({ number, seat }) => number > this.seen && !this.isMine(seat)).length,
  );
  /** The last thing that was told to those who listen. */
  private told: number;

  constructor(
    private readonly screen: TableScreen,
    readonly line: TalkLine,
  ) {
    this.muted = mutedAt(screen.table.table);
    this.told = this.seen = line.heard; // what was said before the page was opened is not called out
  }

  isMine(seat: number): boolean {
    return this.screen.live.mine.includes(seat);
  }

  setMuted(seat: number, muted: boolean): void {
    mute(this.screen.table.table, seat, muted);
    const others = [...this.muted].filter((other) => other !== seat);
    this.muted = new Set(muted ? [...others, seat] : others);
  }

  toggle(): void {
    this.open = !this.open;
    this.look();
  }

  /** Everything there is has been seen. */
  look(): void {
    this.seen = this.line.heard;
  }

  /** Something may have been said: tell it to those who listen. To be called in an effect. */
  follow(): void {
    const said = this.said;
    untrack(() => {
      const fresh = said.filter(({ number, seat }) => number > this.told && !this.isMine(seat));
      this.told = this.line.heard;
      if (this.open) this.look();
      if (fresh.length === 0) return;
      announce(fresh.map((one) => t("common.pair", { name: calledAt(one), value: sayingText(one) })).join(" "));
      withSound((player) => player.play([{ sound: "wood", of: 1 }]));
    });
  }
}
