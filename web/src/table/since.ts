/** What the others did since a player's last turn, by space: marked on the board until that player's turn ends. */

import type { Told } from "../api/types";

/** What became of a space. */
export type News = "planted" | "grown" | "gone" | "changed";

const NEWS: Readonly<Partial<Record<Told["kind"], News>>> = {
  place: "planted",
  plant: "planted",
  grow: "grown",
  collect: "gone",
};

/** The actions that were not taken back, in their order. */
function standing(log: readonly Told[]): Told[] {
  const done: Told[] = [];
  const undone: Told[] = [];
  const move = (from: Told[], to: Told[], seat: Told["seat"], line: string | null | undefined): void => {
    const at = from.findLastIndex((event) => event.seat === seat && event.line === line);
    if (at >= 0) to.push(...from.splice(at, 1));
  };
  for (const event of log) {
    if (event.kind === "undo" || event.kind === "restart")
      for (const line of event.lines ?? []) move(done, undone, event.seat, line);
    else if (event.kind === "taken_back") {
      // whoever played them: all agreed, and the lines are told last first
      for (const line of event.lines ?? []) takeBack(done, line);
    } else if (event.kind === "redo") move(undone, done, event.seat, event.line);
    else done.push(event);
  }
  return done;
}

function takeBack(done: Told[], line: string): void {
  const at = done.findLastIndex((event) => event.line === line);
  if (at >= 0) done.splice(at, 1);
}

/** Whether an event ends a player's turn. */
export function isTurnsEnd({ seat, kind }: Told, of: number): boolean {
  return seat === of && (kind === "end" || kind === "place");
}

/** Every action since the last turn of a seat, in order; none before its first turn. */
export function actionsSinceTurnOf(seat: number, log: readonly Told[]): readonly Told[] {
  const events = standing(log);
  const from = events.findLastIndex((event) => isTurnsEnd(event, seat));
  return from < 0 ? [] : events.slice(from + 1).filter(({ line }) => typeof line === "string");
}

/** The events of others since the last turn of a seat that changed a space, the latest last. */
export function sinceTurnOf(seat: number, log: readonly Told[]): ReadonlyMap<string, readonly Told[]> {
  const events = standing(log);
  const from = events.findLastIndex((event) => isTurnsEnd(event, seat));
  const found = new Map<string, Told[]>();
  for (const event of events.slice(from + 1))
    if (event.seat !== seat)
      for (const space of event.touched ?? []) found.set(space, [...(found.get(space) ?? []), event]);
  return found;
}

export function newsOf(event: Told): News {
  return NEWS[event.kind] ?? "changed";
}
