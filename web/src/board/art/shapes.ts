/**
 * Outlines of trees, one file of numbers. Every tree stands on (0, 0) and reaches up (negative y); all drawings are our
 * own.
 */

export type Size = 1 | 2 | 3;

/** A tier of drooping branches: from a tip to a scalloped hem. */
export function tier(top: number, hem: number, half: number, scallops: number): string {
  const droop = (hem - top) * 0.16;
  const step = (2 * half) / scallops;
  let path = `M0,${top}C${half * 0.22},${top + (hem - top) * 0.45} ${half * 0.62},${hem - droop * 1.8} ${half},${hem}`;
  for (let i = 0; i < scallops; i++) {
    const from = half - step * i;
    const mid = from - step / 2;
    const bend = Math.cos((mid / half) * 1.35) * droop * 1.5;
    const end = Math.cos(((from - step) / half) * (Math.PI / 2)) * droop;
    path += `Q${round(mid)},${round(hem + bend + droop * 1.1)} ${round(from - step)},${round(hem + end * 0.55)}`;
  }
  path += `C${-half * 0.62},${hem - droop * 1.8} ${-half * 0.22},${top + (hem - top) * 0.45} 0,${top}Z`;
  return path;
}

/** A flame: pointed top, round body. */
export function flame(x: number, base: number, top: number, half: number, lean = 0): string {
  const h = base - top;
  return (
    `M${x + lean},${top}` +
    `C${x + half * 0.55 + lean},${top + h * 0.14} ${x + half * 1.12},${top + h * 0.46} ${x + half},${base - h * 0.26}` +
    `C${x + half * 0.86},${base - h * 0.06} ${x + half * 0.36},${base} ${x},${base}` +
    `C${x - half * 0.36},${base} ${x - half * 0.86},${base - h * 0.06} ${x - half},${base - h * 0.26}` +
    `C${x - half * 1.12},${top + h * 0.46} ${x - half * 0.55 + lean},${top + h * 0.14} ${x + lean},${top}Z`
  );
}

/** A flat canopy with a bumpy top, as of an umbrella tree. */
export function canopy(x: number, y: number, half: number, thick: number): string {
  return (
    `M${x - half},${y}` +
    `C${x - half * 1.02},${y - thick * 0.7} ${x - half * 0.72},${y - thick * 0.95} ${x - half * 0.5},${y - thick * 0.82}` +
    `C${x - half * 0.34},${y - thick * 1.25} ${x + half * 0.02},${y - thick * 1.3} ${x + half * 0.16},${y - thick}` +
    `C${x + half * 0.34},${y - thick * 1.22} ${x + half * 0.7},${y - thick * 1.05} ${x + half * 0.74},${y - thick * 0.72}` +
    `C${x + half * 0.98},${y - thick * 0.78} ${x + half * 1.08},${y - thick * 0.2} ${x + half},${y}` +
    `C${x + half * 0.6},${y + thick * 0.42} ${x - half * 0.6},${y + thick * 0.42} ${x - half},${y}Z`
  );
}

/** A trunk that widens at its foot. */
export function trunk(foot: number, top: number, height: number, lean = 0): string {
  return (
    `M${-foot},0C${-foot * 0.5},${-height * 0.15} ${-top + lean * 0.5},${-height * 0.5} ${-top + lean},${-height}` +
    `L${top + lean},${-height}C${top + lean * 0.5},${-height * 0.5} ${foot * 0.5},${-height * 0.15} ${foot},0` +
    `Q0,${foot * 0.55} ${-foot},0Z`
  );
}

export interface Blob {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** Balls of leaves of a maple, back ones first. */
export const MAPLE: Readonly<Record<Size, readonly Blob[]>> = {
  1: [
    { x: -9, y: -24, r: 10.5 },
    { x: 9.5, y: -24, r: 10 },
    { x: 0, y: -34, r: 12.5 },
    { x: 0, y: -22, r: 10 },
  ],
  2: [
    { x: -18, y: -41, r: 13.5 },
    { x: 18, y: -42, r: 13.5 },
    { x: -10, y: -58, r: 15.5 },
    { x: 11, y: -60, r: 15 },
    { x: 0, y: -69, r: 13.5 },
    { x: -8, y: -38, r: 13 },
    { x: 9, y: -39, r: 12.5 },
    { x: 0, y: -50, r: 15 },
  ],
  3: [
    { x: -29, y: -58, r: 16.5 },
    { x: 29, y: -60, r: 16.5 },
    { x: -21, y: -82, r: 19.5 },
    { x: 21, y: -84, r: 19 },
    { x: 0, y: -101, r: 19.5 },
    { x: -17, y: -52, r: 16 },
    { x: 17, y: -53, r: 16 },
    { x: -7, y: -75, r: 20 },
    { x: 13, y: -69, r: 17 },
    { x: 0, y: -50, r: 14 },
  ],
};

/** Height of each tree, for hit areas, badges and the flight of light. */
export const HEIGHTS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  spruce: [16, 52, 86, 124],
  poplar: [16, 48, 86, 128],
  maple: [16, 47, 83, 121],
  acacia: [16, 44, 74, 106],
};

/** Half the width of each crown. */
export const WIDTHS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  spruce: [12, 19, 27, 34],
  poplar: [12, 12, 17, 22],
  maple: [12, 20, 32, 46],
  acacia: [12, 21, 33, 46],
};

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
