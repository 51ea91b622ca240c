/** Looks on while a step of a lesson is played: lets what it is about be done, and answers other tries kindly. */

import { announce } from "../parts/announce.svelte";
import type { Coach } from "../table/coach";
import { t, tMaybe, type Telling } from "../words/speech.svelte";
import type { Goal, Step } from "./lesson";

export class LessonCoach implements Coach {
  /** How many goals are reached. */
  reached = $state(0);
  /** What is said to the last try that was not meant. */
  answer: Telling | undefined = $state.raw();
  /** Lines that have been played: none is asked for twice. */
  private readonly played: string[] = [];

  constructor(
    private readonly lesson: string,
    private readonly step: Step,
    readonly startAgain: () => void,
    private readonly ondone: () => void,
  ) {}

  get goal(): Goal | undefined {
    return this.step.goals[this.reached];
  }

  /** The spaces that the goal is about. */
  get spaces(): string[] {
    const lines = (this.goal?.lines ?? []).filter((line) => !this.played.includes(line));
    const named = lines.flatMap((line) => line.split(" ").filter((word) => /^[a-g][1-7]$/.test(word)));
    return [...new Set([...(typeof this.goal?.point === "string" ? [this.goal.point] : []), ...named])];
  }

  hasSeen(space: string): boolean {
    const wanted = this.goal?.point;
    if (typeof wanted !== "string") return false;
    if (space === wanted) this.reach();
    else this.refuse();
    return true;
  }

  lets(line: string): boolean {
    if (this.goal?.lines.includes(line) === true) return true;
    if (this.goal !== undefined) this.refuse();
    return false;
  }

  did(line: string): void {
    this.played.push(line);
    this.reach();
  }

  private reach(): void {
    this.answer = undefined;
    this.reached += 1;
    if (this.goal === undefined) this.ondone();
  }

  private refuse(): void {
    const { step, facts } = this.step;
    this.answer = () => tMaybe(`lesson.${this.lesson}.${step}.wrong`, facts, t("lesson.wrong"));
    announce(this.answer());
  }
}
