/** The rules being chosen for a table: an edition, modules, and the options that shall differ from the edition. */

import { EDITIONS, MODULES, OPTIONS } from "../api/game_facts";
import type { Edition, Module } from "../api/types";

export type OptionInfo = (typeof OPTIONS)[number];
export type OptionName = OptionInfo["option"];
/** A value as the protocol has it. */
export type Value = string | number | boolean | null | readonly string[];

export class ChosenRules {
  modules: Module[] = $state([]);
  private chosen: Edition = $state(EDITIONS[0].edition);
  private changed: Partial<Record<OptionName, Value>> = $state.raw({});

  get edition(): Edition {
    return this.chosen;
  }

  /** Another edition begins with its own options. */
  set edition(edition: Edition) {
    this.chosen = edition;
    this.reset();
  }

  /** What an option is in the edition. */
  presetOf(option: OptionName): Value {
    return (EDITIONS.find((one) => one.edition === this.chosen) ?? EDITIONS[0]).options[option];
  }

  /** What has been set apart from the edition; undefined where nothing has. */
  changeOf(option: OptionName): Value | undefined {
    return this.changed[option];
  }

  valueOf(option: OptionName): Value {
    // the river runs along the shore unless it is set
    const source = option === "river" && this.changed.river === undefined ? "shore" : option;
    const change = this.changed[source];
    return change === undefined ? this.presetOf(source) : change;
  }

  /** Set an option; nothing, or what the edition says, takes it back. */
  set(option: OptionName, value: Value | undefined): void {
    const others = Object.fromEntries(Object.entries(this.changed).filter(([name]) => name !== option));
    this.changed = value === undefined || value === this.presetOf(option) ? others : { ...others, [option]: value };
  }

  reset(): void {
    this.changed = {};
  }

  /** Whether an option means something with the modules that are played. */
  matters(option: OptionInfo): boolean {
    return option.module === null || this.modules.includes(option.module);
  }

  /** The options that differ from the edition and mean something. */
  get differing(): Partial<Record<OptionName, Value>> {
    const meant = OPTIONS.filter((option) => this.matters(option)).map(({ option }) => option);
    return Object.fromEntries(
      meant.flatMap((name) => (this.changed[name] === undefined ? [] : [[name, this.changed[name]]])),
    );
  }

  /** As a request for a table has them. */
  get request(): Record<string, unknown> {
    const modules = MODULES.filter((module) => this.modules.includes(module));
    return { edition: this.chosen, ...this.differing, ...(modules.length === 0 ? {} : { modules }) };
  }
}
