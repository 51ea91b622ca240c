/**
 * A sunrise as it is seen: the sun sweeps, light changes as the shadows' edges pass, sparks fly from the trees to their
 * players and are counted as they land. It tells only what the server has told, and only later.
 */

import type { Sunlight, TableView } from "../api/types";
import { crossings } from "../board/crossings";
import { forestOf } from "../board/forest";
import type { Moon } from "../board/scene";
import { COLOURS, speciesOf } from "../board/palette";
import { boxOf, boxOfSpace, fly } from "./flights";
import { tellMoment } from "./moments";

/** In milliseconds, at full pace. */
const SWEEP = 1150;
const FLIGHT = 620;
/** Between the first spark of a player and the last, at most, and from one to the next. */
const STREAM = 620;
const APART = 110;
const REST = 160;
/** Where nothing comes for so long nothing will: a slow machine is late, but not silent. */
const SILENCE = 5000;

export interface Sunrise {
  /** The table before the sun moves (`eveningOf`), and as it is then. */
  readonly before: TableView;
  readonly after: TableView;
  /** Where the board is, for the sparks. */
  readonly stage: HTMLElement | undefined;
  /** How long everything takes, as a factor. */
  readonly pace: number;
  readonly onend: () => void;
}

export class Dawn {
  /** Light and shade as far as they are seen to have changed. */
  sky: Sunlight = $state.raw()!;
  moon: Moon | undefined = $state.raw();
  /** Everybody's light, as far as it has arrived. */
  readonly light: number[] = $state([]);
  /** How long the sun is on its way. */
  readonly sweep: number;

  private frame: number;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private readonly timers: ReturnType<typeof setTimeout>[] = [];
  private readonly flights: Animation[] = [];
  /** Sparks that have not landed. */
  private underway = 0;

  constructor(private readonly sunrise: Sunrise) {
    const { before, after, pace } = sunrise;
    this.sweep = before.now.sun === after.now.sun ? 0 : SWEEP * pace;
    this.light = before.state.players.map((player) => player.light);
    this.moon = before.state.moon ?? undefined;
    this.sky = { ...before.now, sun: after.now.sun };
    if (after.state.moon) this.moon = { ...after.state.moon, lit: before.state.moon?.lit ?? [] };
    this.frame = requestAnimationFrame(() => this.begin());
    this.goesOn();
  }

  /** The sun is drawn on its way from now on: what goes with it begins now. */
  private begin(): void {
    const { before, after, stage } = this.sunrise;
    tellMoment("sunrise", { round: after.state.round, ms: this.sweep });
    const forest = forestOf(before.state, before.now, before.rules);
    const sun = stage
      ?.querySelector(".board")
      ?.getAnimations()
      .find((one) => one instanceof CSSTransition && one.transitionProperty === "--sun");
    this.follow(sun?.effect, [...crossings(forest, before.now, after.now)]);
  }

  /** Spaces and trees change when the edge of a shadow passes them, wherever the sun is drawn in this frame. */
  private follow(sun: AnimationEffect | null | undefined, coming: readonly (readonly [string, number])[]): void {
    this.goesOn();
    const way = sun?.getComputedTiming().progress ?? 1;
    const passed = coming.filter(([, part]) => part <= way);
    if (passed.length > 0) this.reveal(passed.map(([space]) => space));
    const left = coming.filter(([, part]) => part > way);
    if (way < 1) this.frame = requestAnimationFrame(() => this.follow(sun, left));
    else this.gather();
  }

  /** It is over, or nobody wants to see it: nothing of it stays. */
  end(): void {
    cancelAnimationFrame(this.frame);
    [...this.timers, this.silence].forEach(clearTimeout);
    for (const flight of this.flights) flight.cancel();
  }

  private at(ms: number, what: () => void): void {
    const then = (): void => {
      this.goesOn();
      what();
    };
    this.timers.push(setTimeout(then, ms));
  }

  private goesOn(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(this.sunrise.onend, SILENCE);
  }

  private reveal(spaces: readonly string[]): void {
    const { now } = this.sunrise.after;
    this.sky = {
      ...this.sky,
      shadows: revealed(this.sky.shadows, now.shadows, spaces),
      shaded: revealed(this.sky.shaded, now.shaded, spaces),
      trees: revealed(this.sky.trees, now.trees, spaces),
    };
  }

  /** A spark for each light point, from its tree to its player. */
  private gather(): void {
    const { after, pace, stage } = this.sunrise;
    this.sky = after.now;
    this.moon = after.state.moon ?? undefined;
    const sources = after.state.players.map((_, seat) =>
      Object.entries(after.now.trees).flatMap(([space, light]) =>
        after.state.spaces[space]?.owner === seat ? Array.from({ length: light }, () => space) : [],
      ),
    );
    this.underway = sources.flat().length;
    // all places are asked for before anything is put on the page: it is laid out once
    const from = new Map(sources.flat().map((space) => [space, stage && boxOfSpace(stage, space)]));
    const to = sources.map((_, seat) => boxOf(`[data-light="${seat}"] svg`));
    sources.forEach((spaces, seat) => {
      const apart = Math.min(APART, STREAM / spaces.length) * pace;
      spaces.forEach((space, i) => this.at(i * apart, () => this.send(from.get(space), to[seat], seat, i + 1)));
    });
    if (this.underway === 0) this.rest();
  }

  private rest(): void {
    this.at(REST * this.sunrise.pace, this.sunrise.onend);
  }

  private send(from: DOMRect | undefined, to: DOMRect | undefined, seat: number, nth: number): void {
    const landed = (): void => this.land(seat, nth);
    if (from === undefined || to === undefined) {
      landed();
      return;
    }
    const { light, middle, dark } = COLOURS[speciesOf(seat)];
    const spark = document.createElement("i");
    spark.dataset["seat"] = String(seat);
    spark.style.background = `radial-gradient(circle at 40% 35%, #fff, ${light} 35%, ${middle} 75%)`;
    spark.style.boxShadow = `0 0 0 1.5px ${dark}, 0 0 12px 4px ${light}`;
    this.flights.push(fly(spark, { from, to, kind: "light", ms: FLIGHT * this.sunrise.pace, landed }));
  }

  /** A spark has come. What the limit takes is not counted: nobody gets more than the server says. */
  private land(seat: number, nth: number): void {
    const { before, after } = this.sunrise;
    this.goesOn();
    const of = (after.state.players[seat]?.light ?? 0) - (before.state.players[seat]?.light ?? 0);
    if (nth <= of) {
      this.light[seat]! += 1;
      tellMoment("light", { seat, nth, of });
    }
    this.underway -= 1;
    if (this.underway === 0) this.rest();
  }
}

/** What was known, with some spaces as they are now. */
function revealed<Value>(
  before: Readonly<Record<string, Value>>,
  now: Readonly<Record<string, Value>>,
  spaces: readonly string[],
): Record<string, Value> {
  const found = { ...before };
  for (const space of spaces) {
    const value = now[space];
    if (value === undefined) delete found[space];
    else found[space] = value;
  }
  return found;
}
