/**
 * Where we are: `/`, `/new`, `/invite`, `/seek`, `/lobby`, `/ranking`, `/you`, `/puzzles`, `/privacy`,
 * `/lesson/LESSON`, `/guide`, `/guide/TABLE`, `/t/TABLE`, `/replay/TABLE?step=12`, below whatever path the page lies
 * at (its base); tables on this device are below `here/`. A server shows the page at all of these. Where there is none,
 * and for tables on this device, the same is told by the fragment: `#/here/t/TABLE`. Secrets are in the fragment, too:
 * that reaches no server and no log.
 */

import { places } from "../api/houses";
import type { TableAt } from "../api/types";

export type Route =
  | { readonly page: "start" | "new" | "invite" | "seek" | "lobby" | "ranking" | "puzzles" | "privacy" | "unknown" }
  | { readonly page: "you"; readonly secret: string }
  | { readonly page: "lesson"; readonly lesson: string }
  | { readonly page: "guide"; readonly at: TableAt | undefined }
  | { readonly page: "table"; readonly at: TableAt; readonly secret: string }
  | { readonly page: "replay"; readonly at: TableAt; readonly step: number | undefined };

/** Begins a secret that moves a seat to this device; others are invitations. */
export const MOVES = "seat.";
/** Begins an invitation to one seat: its number and a dot follow, then what the server takes. */
const FOR = "for.";

/** The secret of a link that invites to one seat. */
export function forSeat(seat: number, invite: string): string {
  return `${FOR}${seat}.${invite}`;
}

/** What an invitation in a link is good for: any open seat, or one. */
export function invitation(secret: string): { readonly invite: string; readonly seat?: number } {
  const [seat = "", ...rest] = secret.startsWith(FOR) ? secret.slice(FOR.length).split(".") : [];
  return /^[0-3]$/.test(seat) ? { invite: rest.join("."), seat: Number(seat) } : { invite: secret };
}

/** Begins the way to a table on this device. */
const HERE = "here";
/** What the page itself is called where nobody hides it. */
const INDEX = "index.html";
/** Begins a fragment that is an address. */
const FRAGMENT = "#/";

const UNKNOWN = { page: "unknown" } as const;

export function routeOf(address: URL, base: URL): Route {
  const url = address.hash.startsWith(FRAGMENT) ? new URL(`./${address.hash.slice(FRAGMENT.length)}`, base) : address;
  const path = url.pathname.startsWith(base.pathname) ? url.pathname.slice(base.pathname.length) : url.pathname;
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
  const where = parts[0] === HERE ? "device" : "server";
  const [page, table, more] = where === "device" ? parts.slice(1) : parts;
  if (parts.length === 0 || path === INDEX) return { page: "start" };
  if (more !== undefined) return UNKNOWN;
  if (table === undefined) {
    if (where === "device") return UNKNOWN;
    if (page === "invite" || page === "seek" || page === "lobby" || page === "ranking")
      return places().includes("server") ? { page } : UNKNOWN; // nobody comes to a device
    if (page === "you") return { page, secret: url.hash.slice(1) };
    return page === "new" || page === "puzzles" || page === "privacy"
      ? { page }
      : page === "guide"
        ? { page, at: undefined }
        : UNKNOWN;
  }
  if (page === "lesson") return where === "device" ? UNKNOWN : { page, lesson: table };
  return places().includes(where) ? tableRoute(page, { where, table }, url) : UNKNOWN;
}

function tableRoute(page: string | undefined, at: TableAt, url: URL): Route {
  if (page === "t") return { page: "table", at, secret: url.hash.slice(1) };
  if (page === "replay") {
    const step = url.searchParams.get("step");
    return { page, at, step: step === null || !/^\d+$/.test(step) ? undefined : Number(step) };
  }
  return page === "guide" ? { page, at } : UNKNOWN;
}

/** A link relative to the page's base. */
export function linkTo(route: Route): string {
  const path = pathTo(route);
  const onServer = places().includes("server") && !("at" in route && route.at?.where === "device");
  return path === "" || onServer ? `./${path}` : `./${FRAGMENT}${path}`;
}

function pathTo(route: Route): string {
  switch (route.page) {
    case "table":
      return `${pathToTable("t", route.at)}${route.secret === "" ? "" : `#${route.secret}`}`;
    case "replay":
      return `${pathToTable("replay", route.at)}${route.step === undefined ? "" : `?step=${route.step}`}`;
    case "you":
      return `you${route.secret === "" ? "" : `#${route.secret}`}`;
    case "guide":
      return route.at === undefined ? "guide" : pathToTable("guide", route.at);
    case "lesson":
      return `lesson/${encodeURIComponent(route.lesson)}`;
    case "new":
    case "invite":
    case "seek":
    case "lobby":
    case "ranking":
    case "puzzles":
    case "privacy":
      return route.page;
    default:
      return "";
  }
}

function pathToTable(page: string, { where, table }: TableAt): string {
  return `${where === "device" ? `${HERE}/` : ""}${page}/${encodeURIComponent(table)}`;
}

/** A complete address to send to somebody, who may find the page elsewhere than we do. */
export function fullLink(route: Route, base = document.baseURI): string {
  return new URL(linkTo(route), base).href;
}

class Place {
  route: Route = $state.raw(this.found());

  constructor() {
    addEventListener("popstate", () => this.read());
    addEventListener("hashchange", () => this.read());
  }

  private found(): Route {
    return routeOf(new URL(location.href), new URL(document.baseURI));
  }

  read(): void {
    this.route = this.found();
  }

  go(route: Route, { replace = false } = {}): void {
    if (replace) history.replaceState(null, "", fullLink(route));
    else history.pushState(null, "", fullLink(route));
    this.read();
    if (!replace) scrollTo(0, 0);
  }
}

export const place = new Place();

/** What makes an element `a` a link that changes the page without loading it anew. */
export function link(route: Route): { readonly href: string; readonly onclick: (event: MouseEvent) => void } {
  return { href: linkTo(route), onclick: (event) => follow(event, route) };
}

function follow(event: MouseEvent, route: Route): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  place.go(route);
}
