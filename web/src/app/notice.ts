/** Being noticed while one looks elsewhere: the title, a soft sound, a notification where allowed. */

import { change, settings } from "./settings.svelte";
import { withSound } from "./sound";
import { t } from "../words/speech.svelte";

export async function askToNotify(wanted: boolean): Promise<void> {
  change({ notify: wanted });
  if (wanted && "Notification" in window && Notification.permission === "default")
    await Notification.requestPermission();
}

export function noticeTurn(round: number): void {
  withSound((player) => player.call({ sound: "turn" }));
  if (settings.notify) tell(t("notify.yourTurn"), t("notify.yourTurn.body", { round }));
}

export function noticeEnd(): void {
  withSound((player) => player.call({ sound: "over" }));
  if (settings.notify) tell(t("refusal.over"), "");
}

/** Somebody has come to a table where we wait. */
export function noticeCompany(text: string): void {
  withSound((player) => player.call({ sound: "turn" }));
  if (settings.notify) tell(text, "");
}

/** A notification, where it is allowed and the page is not being looked at. */
function tell(title: string, body: string): void {
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    new Notification(title, { body, tag: "sunglade-turn" });
  } catch {
    // some phones allow notifications only from a service worker
  }
}
