/** The colours of what grows. Species differ by shape first; their colours also differ in lightness. */

import { SPECIES } from "../api/game_facts";

export type Species = (typeof SPECIES)[number];

export function speciesOf(seat: number): Species {
  const species = SPECIES[seat];
  if (species === undefined) throw new Error(`There is no seat ${seat}.`);
  return species;
}

export interface Colours {
  readonly dark: string;
  readonly middle: string;
  readonly light: string;
  readonly bark: string;
}

export const COLOURS: Readonly<Record<Species, Colours>> = {
  spruce: { dark: "#104a66", middle: "#2a84a8", light: "#8bd7ea", bark: "#5b4233" },
  poplar: { dark: "#17602c", middle: "#3f9f40", light: "#bce472", bark: "#75583a" },
  maple: { dark: "#8f2416", middle: "#dc5428", light: "#ffb072", bark: "#573629" },
  acacia: { dark: "#93630a", middle: "#e0a41a", light: "#ffe98c", bark: "#75502c" },
};

const DUSK = "#28324d";
/** How much dusk is mixed into what stands in shade. */
const IN_SHADE = 0.5;

export function inShade(colours: Colours): Colours {
  return {
    dark: mixed(colours.dark, DUSK, IN_SHADE),
    middle: mixed(colours.middle, DUSK, IN_SHADE),
    light: mixed(colours.light, DUSK, IN_SHADE * 1.1),
    bark: mixed(colours.bark, DUSK, IN_SHADE),
  };
}

/** `part` of the way from one colour to another. */
export function mixed(from: string, to: string, part: number): string {
  const channel = (colour: string, i: number): number => Number.parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
  return `#${[0, 1, 2]
    .map((i) =>
      Math.round(channel(from, i) * (1 - part) + channel(to, i) * part)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}
