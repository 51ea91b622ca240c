/** Who sits where at a table that is being set up. */

import { PLAYERS, SPECIES } from "../api/game_facts";
import type { SeatRequest } from "../api/types";
import { ADAPTIVE, botSeat } from "../app/open_table";
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
