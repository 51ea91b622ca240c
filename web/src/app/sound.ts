/** Sound, where it is wanted: what makes it is fetched when the first of it is. */

import { change, settings } from "./settings.svelte";

type Player = typeof import("../sound/player.svelte");

/** Let sound be made. Without a network to fetch it from there is none. */
export function withSound(make: (player: Player) => void): void {
  if (settings.sound) void import("../sound/player.svelte").then(make, () => undefined);
}

/** Sound on or off, on this device; switched on, it is heard at once. */
export function switchSound(on = !settings.sound): void {
  change({ sound: on, soundOffered: true });
  withSound((player) => player.play([{ sound: "collect" }]));
}
