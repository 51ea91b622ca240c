/**
 * Where things are drawn. The ground is a plane of hexagons measured in its own units; a view shows that plane
 * squeezed (isometric) or as it is (plan). Nothing here knows a rule: only places, angles and pictures.
 */

import { BOARD, MOON_PLACES, SUN_CORNERS } from "../api/game_facts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How the ground is looked at. */
export interface View {
  readonly name: "forest" | "plan";
  /** How much the ground is squeezed from top to bottom. */
  readonly squash: number;
  /** How much higher the soil rises for each leaf. */
  readonly rise: number;
  /** How thick the board is drawn. */
  readonly depth: number;
  /** How large trees are drawn. */
  readonly trees: number;
  /** How large badges and leaves are drawn: a plan is often shown small. */
  readonly marks: number;
  /** From the middle to the corners of the plate. */
  readonly plate: number;
  /** The part of the plane that is shown: left, top, width, height. */
  readonly frame: readonly [number, number, number, number];
}

/** From the centre of a hexagon to its corners. */
export const HEX = 58;
/** From the centre of a hexagon to that of its neighbour, in all six directions. */
export const STEP = Math.sqrt(3) * HEX;

export const FOREST: View = {
  name: "forest",
  squash: 0.66,
  rise: 5,
  depth: 30,
  trees: 1,
  marks: 1,
  plate: 3.95 * STEP,
  frame: [-470, -338, 940, 612],
};
export const PLAN: View = {
  name: "plan",
  squash: 1,
  rise: 0,
  depth: 16,
  trees: 0.86,
  marks: 1.5,
  plate: 3.76 * STEP,
  frame: [-392, -368, 784, 752],
};

export interface Space {
  readonly name: string;
  readonly index: number;
  readonly row: number;
  readonly column: number;
  readonly q: number;
  readonly r: number;
  /** On the ground, from the centre of the board. */
  readonly ground: Point;
  /** 1 at the edge … 4 in the middle, as printed on the board. */
  readonly leaves: number;
}

/** Where the hexagon at (q, r) lies on the ground. */
function groundAt(q: number, r: number): Point {
  return { x: STEP * (q + r / 2), y: 1.5 * HEX * r };
}

/** The 37 spaces in reading order: rows from the top, each from the left. */
export const SPACES: readonly Space[] = BOARD.map(({ name, leaves, q, r }, index) => ({
  name,
  index,
  row: r - BOARD[0].r,
  column: index - BOARD.findIndex((first) => first.r === r),
  q,
  r,
  ground: groundAt(q, r),
  leaves,
}));

/** The spaces row by row. */
export const ROWS: readonly (readonly Space[])[] = SPACES.filter(({ column }) => column === 0).map(({ row }) =>
  SPACES.filter((space) => space.row === row),
);

/** The space in the middle. */
export const CENTRE = SPACES.find(({ q, r }) => q === 0 && r === 0)!.name;

const BY_NAME: ReadonlyMap<string, Space> = new Map(SPACES.map((space) => [space.name, space]));
const BY_PLACE: ReadonlyMap<string, Space> = new Map(SPACES.map((space) => [`${space.q},${space.r}`, space]));

export function spaceNamed(name: string): Space {
  const space = BY_NAME.get(name);
  if (space === undefined) throw new Error(`There is no space “${name}” on the board.`);
  return space;
}

export function isSpace(name: string): boolean {
  return BY_NAME.has(name);
}

/** Where a point of the ground is seen; `leaves` lifts it onto its soil. */
export function seen(ground: Point, view: View, leaves = 1): Point {
  return { x: ground.x, y: ground.y * view.squash - (leaves - 1) * view.rise };
}

export function seenSpace(name: string, view: View): Point {
  const space = spaceNamed(name);
  return seen(space.ground, view, space.leaves);
}

/** Corners of a hexagon around the origin on the ground, beginning at its top, clockwise. */
export function hexCorners(radius: number): Point[] {
  return Array.from({ length: 6 }, (_, i) => polar(radius, -90 + 60 * i));
}

export function polar(radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

/** A closed path through points whose corners are rounded off by `round`. */
export function roundedPath(points: readonly Point[], round: number): string {
  const parts: string[] = [];
  points.forEach((corner, i) => {
    const before = points[(i + points.length - 1) % points.length]!;
    const after = points[(i + 1) % points.length]!;
    const a = towards(corner, before, round);
    const b = towards(corner, after, round);
    parts.push(
      `${i === 0 ? "M" : "L"}${number(a.x)},${number(a.y)}Q${number(corner.x)},${number(corner.y)} ${number(b.x)},${number(b.y)}`,
    );
  });
  return `${parts.join("")}Z`;
}

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The outline of a hexagon as seen in a view, around the origin. */
export function hexPath(radius: number, view: View, round: number): string {
  return roundedPath(
    hexCorners(radius).map((p) => seen(p, view)),
    round,
  );
}

/**
 * The side of a plate `depth` thick, rounded like its top, under an outline of hexagon corners (as from `hexCorners`,
 * top first). Its upper edge lies hidden under the top.
 */
export function sidePath(corners: readonly Point[], depth: number, round: number): string {
  const [bottomRight, bottom, bottomLeft] = [corners[2]!, corners[3]!, corners[4]!];
  const down = (p: Point): Point => ({ x: p.x, y: p.y + depth });
  return roundedPath(
    [{ x: bottomLeft.x, y: 0 }, { x: bottomRight.x, y: 0 }, down(bottomRight), down(bottom), down(bottomLeft)],
    round,
  );
}

/** The sun's place on its way around the board, in degrees clockwise from the right (as on the screen). */
export function sunAngle(sun: number): number {
  const { x, y } = spaceNamed(SUN_CORNERS[sun] ?? SUN_CORNERS[0]).ground;
  return Math.round((Math.atan2(y, x) * 180) / Math.PI); // corners are whole degrees apart
}

/** The angle nearest to where the sun stands now that shows it at position `sun`: it never takes the long way. */
export function nearestSunAngle(now: number, sun: number): number {
  const turn = ((((sunAngle(sun) - now) % 360) + 540) % 360) - 180;
  return now + (turn === -180 ? 180 : turn);
}

/** The moon's place, one of those around the edge. */
export function moonPlace(at: number): Point {
  const [q, r] = MOON_PLACES[at] ?? MOON_PLACES[0];
  return groundAt(q, r);
}

export type Direction = "left" | "right" | "upLeft" | "upRight" | "downLeft" | "downRight" | "up" | "down";

const STEPS: Readonly<Record<Exclude<Direction, "up" | "down">, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  upLeft: [0, -1],
  upRight: [1, -1],
  downLeft: [-1, 1],
  downRight: [0, 1],
};

/** The space the keyboard goes to; straight up and down take the diagonal that stays nearer to the middle. */
export function neighbour(from: string, direction: Direction): string | undefined {
  const space = spaceNamed(from);
  if (direction === "up" || direction === "down") {
    const sides: readonly Exclude<Direction, "up" | "down">[] =
      space.ground.x >= 0 ? [`${direction}Left`, `${direction}Right`] : [`${direction}Right`, `${direction}Left`];
    return neighbour(from, sides[0]!) ?? neighbour(from, sides[1]!);
  }
  const [q, r] = STEPS[direction];
  return BY_PLACE.get(`${space.q + q},${space.r + r}`)?.name;
}

/** How many steps a straight way from one space leads over the board before it leaves it. */
export function stepsToEdge(from: string, degrees: number): number {
  const { ground } = spaceNamed(from);
  for (let steps = 1; ; steps++) {
    const way = polar(steps * STEP, degrees);
    if (spaceAt({ x: ground.x + way.x, y: ground.y + way.y }) === undefined) return steps - 1;
  }
}

/** The space a point of the ground lies on. */
export function spaceAt(ground: Point): Space | undefined {
  const r = ground.y / (1.5 * HEX);
  const q = ground.x / STEP - r / 2;
  const s = -q - r;
  let [rq, rr] = [Math.round(q), Math.round(r)];
  const rs = Math.round(s);
  const [dq, dr, ds] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs - s)];
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return BY_PLACE.get(`${rq},${rr}`);
}
