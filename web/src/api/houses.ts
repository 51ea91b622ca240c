/** Who keeps tables: a server, this device, or both. The head of the page tells which there are, and where they lie. */

import { House } from "./client";
import { Late } from "./late";
import { Network } from "./network";
import type { Where } from "./types";

const ALL: readonly Where[] = ["server", "device"];

function addressOf(where: Where): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="sunglade-${where}"]`)?.content;
}

function whole(where: Where): URL {
  return new URL(addressOf(where) ?? "", document.baseURI);
}

const HOUSES: Readonly<Record<Where, House>> = {
  server: new House("server", new Network(() => whole("server"))),
  device: new House(
    "device",
    new Late(async () => {
      const { Device } = await import("./device");
      return new Device(() => new Worker(whole("device"), { type: "module" }));
    }),
  ),
};

/** Where tables can be, the usual place first. */
export function places(): readonly Where[] {
  return ALL.filter((where) => addressOf(where) !== undefined);
}

/** The house at a place; the usual one where none is named. */
export function houseAt(where: Where = places()[0] ?? "server"): House {
  return HOUSES[where];
}
