/**
 * The ground's colours. Light is told by lightness: what is lit is warm and light, what is shaded cool and darker, a
 * step for each size of tree that would stand dark there. Soils differ in hue alone: how rich they are, the leaves say.
 */

/** By leaves 1 … 4, lit first, then what is shaded for small, medium and large trees. */
export const GROUND: readonly (readonly string[])[] = [
  ["#f2d497", "#718ba0", "#597287", "#455f73"],
  ["#e5d897", "#668e99", "#4e7581", "#3a626d"],
  ["#d8dc9a", "#668f8e", "#4e7775", "#3a6362"],
  ["#c9dfa0", "#6e8f80", "#577668", "#436255"],
];

export function groundColour(leaves: number, dark: number): string {
  return GROUND[leaves - 1]![dark]!;
}

/** A pip for each size that would stand dark: a tree each, the taller the later. */
export interface Pip {
  readonly x: number;
  readonly height: number;
}

const PIPS: readonly Pip[] = [
  { x: -15, height: 13 },
  { x: 0, height: 19 },
  { x: 17, height: 25 },
];

export function pipsOf(dark: number): readonly Pip[] {
  return PIPS.slice(0, dark).map((pip) => ({ ...pip, x: pip.x - (PIPS[dark - 1]!.x + PIPS[0]!.x) / 2 }));
}

/** A tree with its foot at the origin. */
export function pipPath({ height }: Pip): string {
  const wide = height * 0.36;
  return `M0,${-height}L${wide},${-height * 0.2}H1.6V0H-1.6V${-height * 0.2}H${-wide}Z`;
}
