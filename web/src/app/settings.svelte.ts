/** What a person likes, kept in the browser. */

import type { Species } from "../board/palette";
import type { Language } from "../words";

export interface Settings {
  name: string;
  /** The tree that somebody likes to be, where its seat is free; "" where it does not matter. */
  species: Species | "";
  /** A language, or "auto": what the browser asks for. */
  language: Language;
  theme: "auto" | "light" | "dark";
  view: "auto" | "forest" | "plan";
  motion: "auto" | "full" | "fast" | "none";
  /** How long a bot's action is left to be seen. */
  bots: "auto" | "instant" | "quick" | "calm";
  sound: boolean;
  /** 0 … 100 */
  volume: number;
  /** Whether sound was offered on this device: it is, once. */
  soundOffered: boolean;
  /** Whether the first lesson was offered on this device, and begun or put off. */
  lessonOffered: boolean;
  /** As what the bot that adapts to this person plays next; "" before the first game with it. */
  adaptedLevel: string;
  notify: boolean;
  /** Whether this browser is told of new tables while nobody looks, as at the table where that was chosen. */
  tellNew: boolean;
  /** Minutes of the day between which it is not; alike where it always is. */
  quietFrom: number;
  quietUntil: number;
  askEnd: boolean;
  askGone: boolean;
  confirm: "auto" | "on" | "off";
  /** Whether somebody is asked for before a shared screen is theirs; by itself only where something is hidden. */
  handover: "on" | "off";
  coordinates: boolean;
  badges: boolean;
  shortcuts: boolean;
  tips: boolean;
}

const DEFAULTS: Settings = {
  name: "",
  species: "",
  language: "auto",
  theme: "auto",
  view: "auto",
  motion: "auto",
  bots: "auto",
  sound: false,
  volume: 60,
  soundOffered: false,
  lessonOffered: false,
  adaptedLevel: "",
  notify: false,
  tellNew: false,
  quietFrom: 0,
  quietUntil: 0,
  askEnd: true,
  askGone: true,
  confirm: "auto",
  handover: "off",
  coordinates: false,
  badges: true,
  shortcuts: true,
  tips: true,
};
const KEY = "sunglade.settings";

function kept(): Settings {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found !== null && typeof found === "object" ? { ...DEFAULTS, ...found } : { ...DEFAULTS };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings: Settings = $state(kept());

/** Keep a change. A browser that keeps nothing still plays. */
export function change(part: Partial<Settings>): void {
  Object.assign(settings, part);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // private windows may refuse
  }
}

export function resetSettings(): void {
  const { name, species, soundOffered, lessonOffered } = settings;
  change({ ...DEFAULTS, name, species, soundOffered, lessonOffered });
}

/** How long motions take, as a factor; 0 is none. */
export function pace(): number {
  if (settings.motion === "none") return 0;
  if (settings.motion === "fast") return 0.4;
  if (settings.motion === "full") return 1;
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1;
}

/** Follow a media query. */
export class Media {
  matches = $state(false);
  constructor(query: string) {
    const list = matchMedia(query);
    this.matches = list.matches;
    list.addEventListener("change", (event) => (this.matches = event.matches));
  }
}

/** Whether the browser has a network at all. */
class Online {
  is = $state(navigator.onLine);
  constructor() {
    for (const kind of ["online", "offline"]) addEventListener(kind, () => (this.is = navigator.onLine));
  }
}

export const online = new Online();
export const touch = new Media("(hover: none), (pointer: coarse)");
