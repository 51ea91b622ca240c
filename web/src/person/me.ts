/** Who this browser is: its name and tree, at the server by a key; what its games come to, wherever they are. */

import { ask, type House } from "../api/client";
import { houseAt, places } from "../api/houses";
import { dropPersonKey, keepPersonKey, personId, personKey } from "../api/person_key";
import { ServerError } from "../api/transport";
import type {
  LinkCode,
  MyRatings,
  PersonOpened,
  PersonTables,
  PersonView,
  Ranking,
  Seated,
  Statistics,
  TableAt,
  Where,
} from "../api/types";
import { newId } from "../app/ids";
import { heldAt, heldSeats, hold } from "../app/seats";
import { change, settings } from "../app/settings.svelte";

/** Whether there is somebody to be at a server, and not only on this device. */
export const hasServer = (): boolean => places().includes("server");

const { transport } = houseAt("server");

/** As this browser's person. */
function asMe<Told>(path: string, more: { body?: object; method?: "PUT" | "DELETE" } = {}): Promise<Told> {
  const person = personKey();
  return ask(transport, path, { ...more, ...(person === undefined ? {} : { person }) });
}

/** The person that this browser is; somebody new the first time, with the seats that it holds. */
export async function me(): Promise<PersonView> {
  if (personKey() === undefined) {
    const id = personId(newId);
    const { name, species } = settings;
    const body = { id, ...(name === "" ? {} : { name }), ...(species === "" ? {} : { species }) };
    keepPersonKey(id, (await ask<PersonOpened>(transport, "people", { body })).key);
    await bringSeats();
  }
  const found = await asMe<PersonView>("people/me");
  change({ name: found.name ?? "", species: found.species ?? "" });
  return found;
}

/** The seats of this browser are this person's. */
async function bringSeats(): Promise<void> {
  const tokens = heldSeats().flatMap((held) => (held.where === "server" ? [held.token] : []));
  if (tokens.length > 0) await asMe("people/me/seats", { body: { tokens } });
}

/** What is on its way to the server: the next change waits for it, so that the last one stays. */
let changing: Promise<void> = Promise.resolve();

/** Keep another name and tree, here and at the server. */
export function changeMe(part: { name?: string; species?: typeof settings.species }): Promise<void> {
  change(part);
  changing = changing.then(tellWhoIAm, tellWhoIAm);
  return changing;
}

async function tellWhoIAm(): Promise<void> {
  if (!hasServer() || personKey() === undefined) return;
  const body = { name: settings.name || null, species: settings.species || null };
  const kept = await asMe<PersonView>("people/me", { body, method: "PUT" });
  if (settings.name === (body.name ?? "")) change({ name: kept.name ?? "" }); // as it was tidied up
}

/** A code by which another browser is the same person. */
export async function moveCode(): Promise<string> {
  return (await asMe<{ code: string }>("people/me/move", { body: {} })).code;
}

export function qrCode(link: string): Promise<LinkCode> {
  return asMe("people/me/qr", { body: { link } });
}

/** The same code is asked for with the same id, so that an answer that was lost comes again. */
const ids = new Map<string, string>();

/** Be who another browser is, with the code made there. */
export async function claimMe(code: string): Promise<void> {
  const id = ids.get(code) ?? newId();
  ids.set(code, id);
  keepPersonKey(id, (await ask<PersonOpened>(transport, "people/claim", { body: { code, id } })).key);
  await bringSeats();
}

export function tablesOfMine(before?: string): Promise<PersonTables> {
  return asMe(`people/me/tables${before === undefined ? "" : `?before=${encodeURIComponent(before)}`}`);
}

/** Make sure that this browser holds the seat that this person has at a table. */
export async function takeMySeat(at: TableAt): Promise<void> {
  if (at.where !== "server" || heldAt(at) !== undefined) return;
  const { token } = await asMe<Seated>(`tables/${encodeURIComponent(at.table)}/seat`, { body: {} });
  hold({ ...at, token });
}

/** How strong this browser's person is, and what their last rated games were worth. */
export function myRatings(): Promise<MyRatings> {
  return asMe("people/me/ratings");
}

/** Who is how strong, with me among them where I am somebody; also for those whom the server has forgotten. */
export async function ranking(players: number): Promise<Ranking> {
  try {
    return await asMe(`ranking?players=${players}`);
  } catch (error) {
    if (!(error instanceof ServerError && error.problem.kind === "wrong_person")) throw error;
    dropPersonKey();
    return asMe(`ranking?players=${players}`);
  }
}

export function everythingKept(): Promise<object> {
  return asMe("people/me/export");
}

export async function forgetMe(): Promise<void> {
  await asMe("people/me", { method: "DELETE" });
  dropPersonKey();
  change({ name: "", species: "" });
}

/** Where there may be games of mine: a device's own only where this browser has any. */
function placesOfGames(): readonly Where[] {
  const held = heldSeats();
  return places().filter((where) => where === "server" || !hasServer() || held.some((seat) => seat.where === where));
}

/** What all my games come to, a page after the other, each time with more of them. */
export async function* statistics(): AsyncGenerator<Statistics> {
  let sum: Statistics = { results: [], games: [], light: 0, spaces: [], shared: 0, agreed: 0, next: null };
  for (const where of placesOfGames()) {
    let next: string | null = null;
    do {
      const page: Statistics = await patiently(pageOf, houseAt(where), next);
      sum = together(sum, page);
      ({ next } = page);
      yield sum;
    } while (next !== null);
  }
}

/** Ask again, when the server has time for it, where there are many pages. */
async function patiently<Given extends unknown[], Told>(
  what: (...given: Given) => Promise<Told>,
  ...given: Given
): Promise<Told> {
  for (;;) {
    try {
      return await what(...given);
    } catch (error) {
      const wait = error instanceof ServerError && error.problem.kind === "too_fast" && error.problem.retry_after;
      if (typeof wait !== "number") throw error;
      await new Promise((over) => setTimeout(over, 1000 * wait));
    }
  }
}

function pageOf(house: House, next: string | null): Promise<Statistics> {
  if (house.isOpen) return asMe(`people/me/statistics${next === null ? "" : `?before=${encodeURIComponent(next)}`}`);
  return ask(house.transport, `statistics${next === null ? "" : `?from=${next}`}`);
}

export function together(one: Statistics, other: Statistics): Statistics {
  const results = one.results.map((kind) => ({ ...kind }));
  for (const more of other.results) {
    const same = results.find(({ players, against }) => players === more.players && against === more.against);
    if (same === undefined) results.push({ ...more });
    else {
      same.games += more.games;
      same.won += more.won;
    }
  }
  const counts = new Map<string, number>();
  for (const { space, count } of [...one.spaces, ...other.spaces]) counts.set(space, (counts.get(space) ?? 0) + count);
  return {
    results,
    games: [...one.games, ...other.games].sort((a, b) => b.at - a.at),
    light: one.light + other.light,
    spaces: [...counts].map(([space, count]) => ({ space, count })).sort((a, b) => b.count - a.count),
    shared: one.shared + other.shared,
    agreed: one.agreed + other.agreed,
    next: other.next,
  };
}
