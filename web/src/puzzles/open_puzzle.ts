/** A puzzle is tried at a table that begins at its position: everything works there as in a game. */

import type { House } from "../api/client";
import { SPECIES } from "../api/game_facts";
import type { SeatRequest } from "../api/types";
import { place } from "../app/route.svelte";
import { hold } from "../app/seats";
import { settings } from "../app/settings.svelte";
import { person } from "../setup/seats.svelte";
import { t } from "../words/speech.svelte";
import { markTable } from "./record";

export async function openPuzzle(house: House, number: number): Promise<void> {
  const from = place.route;
  const { game } = await house.puzzle(number);
  const players = Number(game["players"]);
  const mover = Number(String(game["position"]).split(" ")[3]?.split(":")[4] ?? 0);
  const seats = Array.from({ length: players }, (_, seat): SeatRequest =>
    seat === mover ? person(settings.name) : { kind: "me", name: t(`species.${SPECIES[seat] ?? "spruce"}`) },
  );
  const { table, token } = await house.create({ seats, game });
  const at = { where: house.where, table };
  hold({ ...at, token });
  markTable(at, number);
  if (place.route === from) place.go({ page: "table", at, secret: "" });
}
