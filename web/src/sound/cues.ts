/** What is heard of what happened. */

import { SIZES } from "../api/game_facts";
import type { Told } from "../api/types";
import type { Cue } from "./synth";

/** From one point of light to the next where the sunrise is not watched, in seconds. */
const NEXT_LANDS = 0.06;

export function cuesOf(events: readonly Told[]): Cue[] {
  return events.flatMap(cuesOfOne);
}

function cuesOfOne(event: Told): Cue[] {
  switch (event.kind) {
    case "place":
    case "plant":
      return [{ sound: "soil" }];
    case "buy":
    case "stone":
      return [{ sound: "wood", of: 1 }];
    case "elder":
      return [{ sound: "leaves", of: 3 }];
    case "grow":
      return [{ sound: "leaves", of: Math.max(1, SIZES.indexOf(event.size ?? "small")) }];
    case "step":
    case "ability":
      return [{ sound: "leaves", of: 1 }, ...collected(event)];
    case "collect":
      return [{ sound: "wood", of: 3 }, ...collected(event)];
    case "round":
      return landing(event.income ?? []);
    default:
      return [];
  }
}

function collected(event: Told): Cue[] {
  return typeof event.token === "number" ? [{ sound: "collect", after: 0.5 }] : [];
}

/** A note for each point of light; everybody's points go up the scale from its lowest note. */
function landing(income: readonly number[]): Cue[] {
  return income
    .flatMap((points) => Array.from({ length: points }, (_, step) => step))
    .map((step, i) => ({ sound: "light", of: step, after: NEXT_LANDS * i }));
}

/** Who is heard while nothing happens: birds by day, an owl under the moon. `chance` is from 0 to 1. */
export function ambient(moon: { readonly full: boolean } | null | undefined, chance: number): Cue {
  const owls = moon ? (moon.full ? 0.75 : 0.35) : 0;
  return chance < owls ? { sound: "owl" } : { sound: "bird", of: Math.floor(chance * 1000) };
}
