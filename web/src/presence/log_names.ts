/** Who sat where when something happened: the log tells of the people of that time, whoever sits there now. */

import type { Told } from "../api/types";

/** What somebody in a seat is called who gave this name, or none. */
type Called = (seat: number, name: string | null | undefined) => string;

/** Of each event the players' names when it happened, found from the end: `now` are those after all of them. */
export function namesThroughout(log: readonly Told[], now: readonly string[], called: Called): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let names = now;
  for (const event of log.slice().reverse()) {
    found.push(names);
    if (isComing(event)) {
      const earlier = before(event, called, log);
      names = names.map((name, seat) => (seat === event.seat ? earlier : name));
    }
  }
  return found.reverse();
}

/** Whether somebody else is in the seat than before, or is called otherwise. */
function isComing({ kind }: Told): boolean {
  return ["sat", "sat_again", "bot_sat", "renamed", "left", "reopened"].includes(kind);
}

/** What a seat was called before an event that changed it. */
function before(event: Told, called: Called, log: readonly Told[]): string {
  const seat = event.seat ?? 0;
  if (event.kind === "renamed") return called(seat, event.before);
  if (event.kind === "left" || event.kind === "reopened") return called(seat, event.name);
  // the seat was free: a bot may have played there since somebody left
  const freed = log.findLast(
    (other) => other.seat === seat && other.seq < event.seq && (other.kind === "left" || other.kind === "reopened"),
  );
  return called(seat, freed?.bot);
}
