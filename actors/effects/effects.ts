/** The effects behind the machines' named slots: what a host runs when a machine starts `work`, `prepare` and so on. */
import { configuredBy } from "../config/config.ts";
import type { Work } from "../host/host.ts";
import { admit } from "./admission.ts";
import { conclude } from "./conclude.ts";
import { hooks } from "./hooks.ts";
import type { EffectOptions } from "./options.ts";
import { prepare } from "./prepare.ts";
import { tree } from "./tree.ts";
import { weigh } from "./weigh.ts";
import { work } from "./work.ts";

export type { EffectOptions } from "./options.ts";

/** Every effect by the name of its slot. */
export function effects(given: EffectOptions): {
  [src in "work" | "prepare" | "conclude" | "hooks" | "tree" | "weigh" | "admit"]: Work;
} {
  const options = limited(given);
  return {
    work: work(options),
    prepare: prepare(options),
    conclude: conclude(options),
    hooks: hooks(options),
    tree: tree(options),
    weigh: weigh(options),
    admit: admit(options),
  };
}

/**
 * With the caps as they are configured when a step asks for them, where none are given. A fault of the configuration is
 * for the steps that need it: a command does with the default ones.
 */
const limited = (given: EffectOptions): EffectOptions => ({
  ...given,
  get limits() {
    return given.limits ?? (given.config === undefined ? {} : (configuredBy(given.config)().limits ?? {}));
  },
});
