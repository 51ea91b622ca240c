/** Who sits where at a table that is being set up. */

import { LEVELS, PLAYERS, SPECIES } from "../api/game_facts";
import type { SeatRequest } from "../api/types";
import { ADAPTIVE, botSeat, FIRST_LEVEL } from "../app/open_table";
import { settings } from "../app/settings.svelte";

/** Somebody at this screen; who gives no name is called by the species. */
export function person(name: string): SeatRequest {
  return name === "" ? { kind: "me" } : { kind: "me", name };
}

/** Seats of which the first is mine: moved to where my tree grows, if there is such a seat. */
export function atMyTree<Seat>(seats: readonly Seat[]): Seat[] {
  const mine = settings.species === "" ? 0 : SPECIES.indexOf(settings.species);
  const [me, ...others] = seats;
  if (me === undefined || mine >= seats.length) return [...seats];
  return [...others.slice(0, mine), me, ...others.slice(mine)];
}

/** A level of rated games: the wanted one, the strongest in place of a stronger one, else the first for newcomers. */
export function ratedLevel(wanted: string, known: readonly string[]): string {
  const strength = (LEVELS as readonly string[]).indexOf(wanted);
  const weaker = known.filter((level) => (LEVELS as readonly string[]).indexOf(level) <= strength);
  return weaker.at(-1) ?? known.find((level) => level === FIRST_LEVEL) ?? known[0] ?? wanted;
}

export interface Chair {
  /** `me` and `here` are people at this screen; one of them is who sets up. */
  kind: "me" | "here" | "open" | "bot";
  name: string;
  level: string;
}

export class Seats {
  chairs: Chair[] = $state(
    atMyTree([
      { kind: "me", name: settings.name, level: "" },
      { kind: "bot", name: "", level: "" },
    ]),
  );

  /** As what the bot that adapts begins. */
  usual = $state("");

  get canGrow(): boolean {
    return this.chairs.length < PLAYERS.most;
  }

  get canShrink(): boolean {
    return this.chairs.length > PLAYERS.least;
  }

  get hasPerson(): boolean {
    return this.chairs.some((chair) => chair.kind !== "bot");
  }

  /** Bots that have none of the levels that are offered get the usual one. */
  useLevels(offered: readonly string[], usual: string): void {
    this.usual = usual;
    for (const chair of this.chairs) if (![...offered, ADAPTIVE].includes(chair.level)) chair.level = usual;
  }

  /** Nobody can come from elsewhere: seats that wait for somebody are for people at this screen. */
  fillHere(): void {
    for (const chair of this.chairs) if (chair.kind === "open") chair.kind = "here";
  }

  /**
   * In a rated game everybody has one seat, nobody shares a screen, and bots are some whose strength is known, here by
   * the number of players, weakest first.
   */
  suitRated(levels: Readonly<Record<string, readonly string[]>>): void {
    const me = Math.max(
      0,
      this.chairs.findIndex(({ kind }) => kind === "me"),
    );
    for (const [seat, chair] of this.chairs.entries()) {
      if (seat === me) chair.kind = "me";
      else if (chair.kind !== "bot") chair.kind = "open";
      chair.level = ratedLevel(chair.level, levels[this.chairs.length] ?? []);
    }
  }

  /** Me, as many friends who are invited, and as many bots of one level. */
  gather(friends: number, bots: number, level: string): void {
    this.chairs = atMyTree([
      { kind: "me", name: settings.name, level },
      ...Array.from({ length: friends }, (): Chair => ({ kind: "open", name: "", level })),
      ...Array.from({ length: bots }, (): Chair => ({ kind: "bot", name: "", level })),
    ]);
  }

  add(): void {
    this.chairs.push({ kind: "bot", name: "", level: this.chairs.at(-1)?.level ?? "" });
  }

  remove(seat: number): void {
    this.chairs.splice(seat, 1);
  }

  /** Seats in an order drawn by chance. */
  shuffle(): void {
    const { chairs } = this;
    for (let i = chairs.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [chairs[i], chairs[j]] = [chairs[j]!, chairs[i]!];
    }
  }

  get request(): SeatRequest[] {
    return this.chairs.map((chair): SeatRequest => {
      if (chair.kind === "bot") return botSeat(chair.level, this.usual);
      if (chair.kind === "open") return { kind: "open" };
      return person(chair.name.trim() || (chair.kind === "me" ? settings.name : ""));
    });
  }
}
