/** Being noticed while one looks elsewhere: the title, a soft sound, a notification where allowed. */

import { change, settings } from "./settings.svelte";
import { t } from "../words/speech.svelte";

export async function askToNotify(wanted: boolean): Promise<void> {
  change({ notify: wanted });
  if (wanted && "Notification" in window && Notification.permission === "default")
    await Notification.requestPermission();
}

export function noticeTurn(round: number): void {
  if (settings.sound) chime();
  if (settings.notify) tell(t("notify.yourTurn"), t("notify.yourTurn.body", { round }));
}

export function noticeEnd(): void {
  if (settings.sound) chime();
  if (settings.notify) tell(t("notify.over"), "");
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

let audio: AudioContext | undefined;

/** Two soft tones, made on the spot. */
function chime(): void {
  audio ??= new AudioContext();
  const now = audio.currentTime;
  for (const [pitch, after] of [
    [523.25, 0],
    [783.99, 0.16],
  ] as const) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "sine";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, now + after);
    volume.gain.linearRampToValueAtTime(0.16, now + after + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.001, now + after + 0.7);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + after);
    tone.stop(now + after + 0.75);
  }
}
