/** Dragging the sun: from the angle of a pointer to one of the places that the sun comes to. */

import { nearestSunAngle, sunAngle } from "./geometry";

/** The angles of places that the sun comes to one after the other, without a jump; place `at` is where it is drawn. */
export function sunWay(suns: readonly number[], at: number, drawn: number): number[] {
  const way: number[] = [];
  for (const sun of suns) way.push(way.length === 0 ? sunAngle(sun) : nearestSunAngle(way.at(-1)!, sun));
  const shift = drawn - (way[at] ?? drawn);
  return way.map((angle) => angle + shift);
}

/** The same direction as `degrees`, as the angle nearest to where one was: round and round without a jump. */
export function goingOn(before: number, degrees: number): number {
  return before + ((((degrees - before) % 360) + 540) % 360) - 180;
}

/** As far as the way goes. */
export function onWay(way: readonly number[], angle: number): number {
  return Math.min(Math.max(...way), Math.max(Math.min(...way), angle));
}

/** The place of the way that is nearest to an angle. */
export function nearestStop(way: readonly number[], angle: number): number {
  const far = way.map((stop) => Math.abs(stop - angle));
  return far.indexOf(Math.min(...far));
}
