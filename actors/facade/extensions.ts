/**
 * What a Troupe can do beside its core: providers and operations. The built-in ones and those of a program that embeds
 * Troupe are one list from here on; nothing below knows where one came from.
 */
import { PROVIDERS } from "../../machines/workflow/providers.ts";
import type { Agents } from "../agents/registry.ts";
import { OPERATIONS, type Operations } from "../operations/registry.ts";

/**
 * Of an embedding program, by name; a name that is built in means the built-in one.
 * @example
 * const shout: Operation = async ({ inputs }) => ({ ok: true, outputs: { said: `${inputs.text}!` }, told: "shouted" });
 * const troupe = createTroupe({ extensions: { operations: { "text.shout": async () => shout } } });
 */
export type Extensions = { agents?: Agents; operations?: Operations };

/** All operations. */
export const operationsWith = ({ operations = {} }: Extensions): Operations => ({ ...operations, ...OPERATIONS });
/** All providers. */
export const agentsWith = ({ agents = {} }: Extensions, builtIn: Agents): Agents => ({ ...agents, ...builtIn });
/** The names of all providers. */
export const providersWith = ({ agents = {} }: Extensions): string[] => [...PROVIDERS, ...Object.keys(agents)];
