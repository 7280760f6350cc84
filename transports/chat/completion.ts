/** What a word that is being typed may become: commands of the agent and of the chat, their values, and files. */
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Conversation } from "../../actors/troupe.ts";
import { COMMANDS } from "./commands.ts";

/** `about`: said beside it. */
export type Completion = { word: string; about: string };

const MOST_FILES = 200;
/** A file that is being named: what stands behind a backslash belongs to its name. */
const FILE = /(?:^|\s)@((?:\\.|[^\s"\\])*\\?)$/;
const written = (name: string): string => name.replace(/[\s"\\]/g, "\\$&");

/** For the text before the place, each a whole text in its place. */
export function completions(
  before: string,
  { state, edits, cwd }: Pick<Conversation, "state" | "edits" | "cwd">,
): Completion[] {
  const [, name, value] = /^:(\w+) (.*)$/s.exec(before) ?? [];
  const begins = ({ word }: Completion): boolean => word.startsWith(before) && word !== before;
  if (name !== undefined && value !== undefined)
    return valuesOf(name, { state, edits })
      .map((one) => ({ word: `:${name} ${one}`, about: "" }))
      .filter(begins);
  if (/^:\w*$/.test(before)) return COMMANDS.map(({ name, about }) => ({ word: `:${name}`, about })).filter(begins);
  if (/^\/\S*$/.test(before))
    return state.commands
      .map(({ name, description, hint }) => ({
        word: `/${name}`,
        about: hint === "" ? description : `${hint}: ${description}`,
      }))
      .filter(begins);
  const file = FILE.exec(before)?.[1];
  return file === undefined
    ? []
    : filesOf(cwd, file.replace(/\\(.?)/g, "$1")).map((one) => ({
        word: before.slice(0, before.length - file.length) + one,
        about: "",
      }));
}

function valuesOf(name: string, { state, edits }: Pick<Conversation, "state" | "edits">): string[] {
  const { modes, settings } = state;
  if (name === "accept" || name === "reject") return ["all", ...edits.map(({ path }) => path)];
  if (name === "mode" && modes.length > 0) return modes.map(({ id }) => id);
  if (name === "set") return settings.flatMap(({ id, values }) => values.map(({ value }) => `${id} ${value}`));
  return settings.find(({ category, id }) => category === name || id === name)?.values.map(({ value }) => value) ?? [];
}

function filesOf(cwd: string, begun: string): string[] {
  const folder = begun.slice(0, begun.lastIndexOf("/") + 1);
  const name = begun.slice(folder.length);
  try {
    const place = folder.startsWith("~/") ? join(homedir(), folder.slice(2)) : resolve(cwd, folder);
    return readdirSync(place, { withFileTypes: true })
      .filter((one) => one.name.startsWith(name) && (name !== "" || !one.name.startsWith(".")))
      .slice(0, MOST_FILES)
      .map((one) => written(folder + one.name) + (one.isDirectory() ? "/" : ""))
      .toSorted();
  } catch {
    return [];
  }
}

/** The longest beginning that all of them share. */
export function commonStart(all: readonly Completion[]): string {
  const [first = "", ...rest] = all.map(({ word }) => word);
  let length = first.length;
  for (const word of rest) while (!word.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
