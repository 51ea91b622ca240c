/**
 * Where we are: `/`, `/new`, `/guide`, `/guide/TABLE`, `/t/TABLE`, `/replay/TABLE?step=12`, below whatever path the
 * server lies at (the page's base). Secrets are in the fragment: that reaches no server and no log.
 */

export type Route =
  | { readonly page: "start" | "new" | "unknown" }
  | { readonly page: "guide"; readonly table: string | undefined }
  | { readonly page: "table"; readonly table: string; readonly secret: string }
  | { readonly page: "replay"; readonly table: string; readonly step: number | undefined };

/** Begins a secret that moves a seat to this device; others are invitations. */
export const MOVES = "seat.";

export function routeOf(url: URL, base: URL): Route {
  const path = url.pathname.startsWith(base.pathname) ? url.pathname.slice(base.pathname.length) : url.pathname;
  const [page, table, more] = path
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
  if (page === undefined) return { page: "start" };
  if (more !== undefined) return { page: "unknown" };
  if (page === "t" && table !== undefined) return { page: "table", table, secret: url.hash.slice(1) };
  if (page === "replay" && table !== undefined) {
    const step = url.searchParams.get("step");
    return { page: "replay", table, step: step === null || !/^\d+$/.test(step) ? undefined : Number(step) };
  }
  if (page === "guide") return { page, table };
  return { page: page === "new" && table === undefined ? "new" : "unknown" };
}

/** A link relative to the page's base. */
export function linkTo(route: Route): string {
  switch (route.page) {
    case "table":
      return `./t/${encodeURIComponent(route.table)}${route.secret === "" ? "" : `#${route.secret}`}`;
    case "replay":
      return `./replay/${encodeURIComponent(route.table)}${route.step === undefined ? "" : `?step=${route.step}`}`;
    case "guide":
      return route.table === undefined ? "./guide" : `./guide/${encodeURIComponent(route.table)}`;
    case "new":
      return "./new";
    default:
      return "./";
  }
}

/** A complete address to send to somebody. */
export function fullLink(route: Route): string {
  return new URL(linkTo(route), document.baseURI).href;
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
