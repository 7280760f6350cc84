/**
 * What was chosen for a session and lasts: it holds for every run that begins afterwards, in any process.
 *
 * I1. Nothing that was chosen has an effect on a run that has begun: a run is born with what holds.
 */
import type { McpServer } from "./mcp/server.ts";
import type { Chosen } from "./scope.ts";

/** By the option's id; an option that is not here was not chosen. `mode` is a role. */
export type Settings = { mode?: string; options?: { [id: string]: string } };
/** What a session's client brought with it: it may say anew what it is when it comes back. */
export type Setup = {
  additionalDirectories: string[];
  mcpServers: McpServer[];
  /** Set by the user who starts a run, never by a client: merges of trees need not be asked for. */
  merges?: "allow";
};
export const NO_SETUP: Setup = { additionalDirectories: [], mcpServers: [] };
export type SettingsEvent =
  /** `offered`: what may be chosen now. */
  { type: "option.chosen"; option: string; value: string; offered: string[] } | { type: "setup.changed"; setup: Setup };

export const MODE = "mode";
/** Chosen to choose nothing: what a workflow says, or its agent does by itself, holds. */
export const UNCHOSEN = ":default";

export const isOffered = ({ value, offered }: { value: string; offered: readonly string[] }): boolean =>
  offered.includes(value);

/** The value that holds for an option. */
export const choiceOf = ({ mode, options = {} }: Settings, option: string): string =>
  (option === MODE ? mode : Object.hasOwn(options, option) ? options[option] : undefined) ?? UNCHOSEN;

/** The settings with one option changed, and what the log says of it. */
export function withChoice(settings: Settings, option: string, value: string): { settings: Settings; said: Settings } {
  const said: Settings = option === MODE ? { mode: value } : { options: { [option]: value } };
  return { said, settings: { ...settings, ...said, options: { ...settings.options, ...said.options } } };
}

/** What an agent step takes from its session where it says nothing itself; undefined where that is nothing. */
export function chosenOf(settings: Settings, { additionalDirectories, merges }: Setup): Chosen | undefined {
  const values = { role: MODE, model: "model", effort: "thought_level", permissions: "permissions" };
  const entries = Object.entries(values)
    .map(([name, option]): [string, string] => [name, choiceOf(settings, option)])
    .filter(([, value]) => value !== UNCHOSEN);
  const directories = additionalDirectories.length === 0 ? {} : { directories: additionalDirectories };
  const chosen: Chosen = { ...Object.fromEntries(entries), ...directories, ...(merges ? { merges } : {}) };
  return Object.keys(chosen).length === 0 ? undefined : chosen;
}
