/** A value of a YAML file together with where it stands. */
import type { Json } from "../../model.ts";
import type { Range } from "../finding.ts";
import type { Path } from "../texts.ts";

/** `foreign`: the text stands in another file, and the range is where that file is named. */
export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded" | "foreign";
export type Entry = { key: Range; value: Located };
export type Located = {
  value: Json;
  range: Range;
  /** For scalars: how it is written, and its text as it stands for those that are no strings (`1.0`). */
  scalar?: { style: ScalarStyle; text: string };
  entries?: ReadonlyMap<string, Entry>;
  items?: readonly Located[];
  /** Where it is written, when that is another file than the one whose range it has. */
  written?: () => string;
};

/** What stands at a path, or the nearest thing above it; `key` is the range of its key, if it has one. */
export type Found = { located: Located; key: Range | null; exact: boolean };

/** Walks down from `root`. Aliases have been followed already. */
export function locate(root: Located, path: Path): Found {
  let found: Found = { located: root, key: null, exact: true };
  for (const part of path) {
    const { located } = found;
    const entry = typeof part === "string" ? located.entries?.get(part) : undefined;
    const item = typeof part === "number" ? located.items?.[part] : undefined;
    if (entry !== undefined) found = { located: entry.value, key: entry.key, exact: true };
    else if (item !== undefined) found = { located: item, key: null, exact: true };
    else return { ...found, exact: false };
  }
  return found;
}

/** The value below a name, or undefined: missing and `null` are the same to a reader. */
export function child(located: Located | undefined, name: string): Located | undefined {
  const value = located?.entries?.get(name)?.value;
  return value === undefined || value.value === null ? undefined : value;
}

/** `states.build.hooks.pre[0].log`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}
