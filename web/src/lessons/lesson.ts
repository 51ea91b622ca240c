/** Lessons, as `sunglade.teaching.lessons` has written them, and how far somebody has come on this device. */

import type { ANIMALS, BABIES } from "../api/game_facts";
import written from "./lessons.json";

export interface Goal {
  /** Any of these actions reaches it. */
  readonly lines: readonly string[];
  /** Or this space, pointed at. */
  readonly point: string | null;
  /** Where the words only name an ability. */
  readonly ability: string | null;
  readonly level: number | null;
  readonly baby: (typeof BABIES)[number] | null;
}

export interface Step {
  readonly step: string;
  readonly game: object;
  readonly goals: readonly Goal[];
  readonly facts: Readonly<Record<string, number>>;
  readonly animal: (typeof ANIMALS)[number]["animal"] | null;
  readonly baby: (typeof BABIES)[number] | null;
}

export interface Lesson {
  readonly lesson: string;
  readonly steps: readonly Step[];
}

export const LESSONS = written as unknown as readonly Lesson[];

export function lessonNamed(name: string): Lesson | undefined {
  return LESSONS.find(({ lesson }) => lesson === name);
}

/** How far somebody has come: the step they are at, and those they have done. */
export interface Progress {
  readonly at: number;
  readonly done: readonly number[];
}

const KEY = "sunglade.lessons";

function kept(): Record<string, Progress> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found !== null && typeof found === "object" ? (found as Record<string, Progress>) : {};
  } catch {
    return {};
  }
}

/** Where to go on; whatever is kept, it is a step that there is. */
export function progressOf({ lesson, steps }: Lesson): Progress {
  const found = kept()[lesson];
  const isStep = (step: unknown): step is number => Number.isInteger(step) && steps[step as number] !== undefined;
  return {
    at: isStep(found?.at) ? found.at : 0,
    done: Array.isArray(found?.done) ? found.done.filter(isStep) : [],
  };
}

/** A browser that keeps nothing still teaches. */
export function keep(lesson: Lesson, progress: Progress): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [lesson.lesson]: progress }));
  } catch {
    // private windows may refuse
  }
}
