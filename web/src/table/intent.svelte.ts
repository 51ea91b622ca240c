/** What a player is about to do: the space pointed at, the choice being made, the action waiting to be confirmed. */

import type { TableApi } from "../api/client";
import type { Action, Problem, Size, TableView, TurnSoFar, Why } from "../api/types";
import { settings, touch } from "../app/settings.svelte";
import { neighbour, type Direction } from "../board/geometry";
import { t, type Telling } from "../words/speech.svelte";
import type { Coach } from "./coach";
import { actionsAt, decided, lineAt, narrowed, targetsOf, type Choice } from "./choice";
import type { Following } from "./live.svelte";
import { errorText, problemText, whyText } from "./problem_words";

/** Something that could be wished for on a space and is not possible now. */
export interface Refusal {
  readonly kind: Wish["kind"];
  readonly line: string;
  readonly label: Telling;
  readonly text: Telling;
  /** It would be possible after buying this. */
  readonly buyFirst: Size | undefined;
}

/** What one would expect to do with a piece of one's own. */
interface Wish {
  readonly kind: "grow" | "plant" | "collect";
  readonly line: string;
}

/** Phases in which there is one thing to do: its targets are shown at once. */
const PROMPTS: Readonly<Record<string, string>> = {
  animals: "prompt.animals",
  elder: "prompt.elder",
  stones: "prompt.stones",
  placing: "prompt.placing",
};
const AROUND: readonly Direction[] = ["left", "right", "upLeft", "upRight", "downLeft", "downRight"];
/** Reasons that only say that this kind of piece does something else. */
const BESIDE_THE_POINT: ReadonlySet<string> = new Set(["fully_grown", "not_large", "seed_cannot_plant", "not_yours"]);

export class Intent {
  /** The space whose actions are shown. */
  space: string | undefined = $state();
  /** Chosen by the player; in set-up phases there is one without asking. */
  private own: Choice | undefined = $state.raw();
  /** Waits to be confirmed. */
  pending: Action | undefined = $state.raw();
  /** Under the pointer in the menu of a space. */
  pointedAt: Action | undefined = $state.raw();
  /** Why something was not possible, or what went wrong. */
  message: Telling | undefined = $state.raw();
  refusals: readonly Refusal[] = $state.raw([]);
  asksToEnd = $state(false);
  /** In a teaching game: whether the turn is being judged, and what is said about it before it ends. */
  judging = $state(false);
  slip: TurnSoFar | undefined = $state.raw();

  constructor(
    private readonly live: Following,
    private readonly table: TableApi,
    /** Who looks on in a lesson. */
    private readonly coach?: Coach,
  ) {}

  get view(): TableView | undefined {
    return this.live.view;
  }

  /** The seat to act, where it is mine and everything received is shown. */
  get seat(): number | undefined {
    const view = this.view;
    if (view === undefined || view.status !== "playing" || this.live.behind > 0) return undefined;
    const seat = view.turn.seat ?? undefined;
    return seat !== undefined && this.live.mine.includes(seat) && view.seats[seat]?.playing === "person"
      ? seat
      : undefined;
  }

  get legal(): readonly Action[] {
    return this.seat === undefined ? [] : (this.view?.turn.legal ?? []);
  }

  get choice(): Choice | undefined {
    if (this.own !== undefined) return this.own;
    const prompt = PROMPTS[this.view?.state.phase ?? ""];
    return prompt === undefined || this.legal.length === 0 ? undefined : { prompt, actions: this.legal, picked: [] };
  }

  /** Whether the choice can be given up. */
  get optional(): boolean {
    return this.own !== undefined;
  }

  get targets(): Set<string> {
    return this.choice === undefined ? new Set() : targetsOf(this.choice);
  }

  /** The action a target would complete, for its preview. */
  actionFor(space: string): Action | undefined {
    const next = this.choice === undefined ? undefined : narrowed(this.choice, space);
    return next === undefined ? undefined : decided(next);
  }

  /** Something happened at the table: what was begun no longer holds. */
  refresh(): void {
    this.own = undefined;
    this.pending = undefined;
    this.pointedAt = undefined;
    this.space = undefined;
    this.refusals = [];
    this.asksToEnd = false;
    this.slip = undefined;
  }

  cancel(): void {
    this.refresh();
    this.message = undefined;
  }

  /** A space was pointed at. */
  point(space: string): void {
    this.message = undefined;
    if (this.coach?.hasSeen(space) === true) return;
    if (this.pending !== undefined && this.pending.space === space) {
      void this.perform(this.pending);
      return;
    }
    const choice = this.choice;
    if (choice === undefined) {
      this.open(space);
      return;
    }
    this.pending = undefined;
    const next = narrowed(choice, space);
    if (next === undefined) {
      void this.explain(choice, space);
      return;
    }
    const action = decided(next);
    if (action !== undefined) this.consider(action);
    else this.own = next;
  }

  /** Show what can be done on a space, and why the rest cannot. */
  open(space: string): void {
    this.space = space;
    this.own = undefined;
    this.pending = undefined;
    this.pointedAt = undefined;
    this.refusals = [];
    if (this.seat !== undefined) void this.findRefusals(space);
  }

  /** Begin to choose among actions; a single one is meant at once. */
  choose(prompt: string, actions: readonly Action[], picked: readonly string[] = []): void {
    this.space = undefined;
    this.message = undefined;
    this.pending = undefined;
    this.pointedAt = undefined;
    const only = actions[0];
    if (actions.length === 1 && only !== undefined) this.consider(only);
    else if (actions.length > 1) this.own = { prompt, actions, picked };
  }

  /** A piece of the player board was taken up: where it goes is asked, even where there is one place only. */
  take(prompt: string, actions: readonly Action[]): void {
    this.cancel();
    if (actions.length > 0) this.own = { prompt, actions, picked: [] };
  }

  /** Do it, or show first what it means where that was asked for. */
  consider(action: Action): void {
    if (this.isStopped(action.line)) return;
    const loses = settings.askGone && (action.preview.lost ?? []).length > 0;
    const confirm = settings.confirm === "on" || (settings.confirm === "auto" && touch.matches);
    if (action.kind === "end" || (!loses && (!confirm || action.kind === "buy"))) void this.perform(action);
    else this.pending = action;
  }

  async perform(action: Action | string): Promise<boolean> {
    const seat = this.seat;
    if (seat === undefined || this.live.sending) return false;
    const line = typeof action === "string" ? action : action.line;
    if (this.isStopped(line)) return false;
    this.refresh();
    return this.play(line, seat);
  }

  private async play(line: string, seat: number): Promise<boolean> {
    const done = this.say(await this.live.play(line, seat));
    if (done) this.coach?.did(line);
    return done;
  }

  /** Whether the coach of a lesson has something else in mind, and has said so. */
  private isStopped(line: string): boolean {
    if (this.coach === undefined || this.coach.lets(line)) return false;
    this.refresh();
    return true;
  }

  /** Two actions, each of them in the log: first buy, then do what it was bought for. */
  async buyAnd(size: Size, line: string): Promise<void> {
    if (await this.perform(`buy ${size}`)) {
      const seat = this.seat ?? this.view?.turn.seat;
      if (seat !== undefined && seat !== null && !this.isStopped(line)) await this.play(line, seat);
    }
  }

  async back(what: "undo" | "redo" | "restart"): Promise<void> {
    const seat = this.seat;
    if (seat === undefined) return;
    this.refresh();
    if (this.coach !== undefined) this.coach.startAgain();
    else this.say(await this.live.command({ do: what, seat }));
  }

  /** End the turn, or ask first when light could still be spent. */
  end(sure = false): void {
    const left = this.view?.turn.left;
    const more = left ? left.buy + left.plant + left.grow + left.collect > 0 : false;
    if (!sure && settings.askEnd && more && this.coach === undefined) this.asksToEnd = true;
    else void this.endJudged();
  }

  /** End the turn; where the table teaches, not before the teacher has said what there is to say. */
  private async endJudged(): Promise<void> {
    const view = this.view;
    if (this.judging) return;
    if (view === undefined || view.settings.teaching === "off" || this.live.sending || this.coach !== undefined) {
      await this.perform("end");
      return;
    }
    this.asksToEnd = false;
    this.judging = true;
    const judged = await this.table.judgeTurn().catch(() => undefined); // a teacher who is away says nothing
    this.judging = false;
    if (this.view?.seq !== view.seq) return; // something else was done meanwhile
    if (judged === undefined || judged.verdict === "good") await this.perform("end");
    else this.slip = judged;
  }

  private say(problem: Problem | undefined): boolean {
    this.message = problem === undefined ? undefined : () => problemText(problem);
    return problem === undefined;
  }

  private async explain(choice: Choice, space: string): Promise<void> {
    const line = choice.actions[0] === undefined ? undefined : lineAt(choice.actions[0], space);
    if (line === undefined) return;
    const [why] = await this.ask([line]);
    if (why !== undefined && !why.legal) this.message = () => whyText(why);
  }

  /** What one would expect to do here and cannot. */
  private async findRefusals(space: string): Promise<void> {
    const found = await this.ofPiece(space);
    if (this.space === space) this.refusals = found;
  }

  private async ofPiece(space: string): Promise<readonly Refusal[]> {
    const piece = this.view?.state.spaces[space];
    if (piece === undefined || piece.owner !== this.seat) return [];
    const possible = actionsAt(this.legal, space);
    const wishes = this.wishesAt(space).filter(
      ({ kind }) => !possible.some((action) => action.kind === kind && (kind !== "plant" || action.origin === space)),
    );
    const answers = await this.ask(wishes.map((wish) => wish.line));
    return answers.flatMap((why) => {
      const wish = wishes.find(({ line }) => line === why.action);
      if (wish === undefined || why.legal || BESIDE_THE_POINT.has(why.reason ?? "")) return [];
      const told = { label: () => t(`action.${wish.kind}`), text: () => whyText(why) };
      return [{ ...wish, ...told, buyFirst: why.buy_first ?? undefined }];
    });
  }

  private wishesAt(space: string): Wish[] {
    const near = AROUND.map((way) => neighbour(space, way)).find(
      (name) => name !== undefined && this.view?.state.spaces[name] === undefined,
    );
    return [
      { kind: "grow", line: `grow ${space}` },
      ...(near === undefined ? [] : [{ kind: "plant" as const, line: `plant ${space} ${near}` }]),
      { kind: "collect", line: `collect ${space}` },
    ];
  }

  private async ask(lines: readonly string[]): Promise<readonly Why[]> {
    if (lines.length === 0) return [];
    try {
      return (await this.table.why(lines)).answers;
    } catch (error) {
      this.message = () => errorText(error);
      return [];
    }
  }
}
