/**
 * Whether a path fits a glob: `*` and `?` for what stands in a name, `[a-z]` and `[!a-z]` for one sign, `**` for any folders,
 * `{a,b}` and `{1..3}` for one of several.
 *
 * I1. Every part of a glob is looked for at every place of a path once: the time is bounded by both lengths, whatever the
 *     glob says.
 * I2. A name that begins with a dot fits only what says the dot.
 */
import { alternativesOf } from "./glob/alternatives.ts";

export type Glob = { ok: true; fits: (path: string) => boolean } | { ok: false; why: string };
type Part = { type: "text"; text: string } | { type: "any" } | { type: "one"; fits: (sign: string) => boolean };
/** Null stands for any folders. */
type Names = (readonly Part[] | null)[];

const GROUP = /[?*+@!]\(/;
const CLASS = /\[\[?[:.=]/;

/** `caseless`: where the file system has no case. */
export function globOf(glob: string, { caseless = false } = {}): Glob {
  if (GROUP.test(glob)) return { ok: false, why: "a group such as @(a|b) is not known here: write {a,b}" };
  if (CLASS.test(glob)) return { ok: false, why: "a class such as [[:alpha:]] is not known here: write [a-z]" };
  const fold = (text: string): string => (caseless ? text.toLowerCase() : text);
  const alternatives = alternativesOf(fold(glob.replaceAll("\\", "/")));
  if (alternatives === null) return { ok: false, why: "its {…} stand for too many others" };
  const all = alternatives.map(namesOf);
  return { ok: true, fits: (path) => all.some((names) => fitsNames(names, fold(path).split("/"))) };
}

function namesOf(glob: string): Names {
  const names = glob.split("/").filter((name, at, all) => name !== "" || at === 0 || at === all.length - 1);
  return names
    .filter((name, at) => name !== "**" || names[at - 1] !== "**")
    .map((name) => (name === "**" ? null : partsOf(name)));
}

/** `reached`: how many names of the path may be behind it (I1). */
function fitsNames(wanted: Names, path: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const [index, parts] of wanted.entries()) {
    const next = new Set<number>();
    for (const at of reached) {
      if (parts !== null) {
        const name = path[at];
        if (name !== undefined && fitsName(parts, name)) next.add(at + 1);
        continue;
      }
      // At its end it stands for one name at least.
      if (index < wanted.length - 1) next.add(at);
      for (let to = at; to < path.length && path[to]?.startsWith(".") === false && !next.has(to + 1); to++)
        next.add(to + 1);
    }
    reached = next;
  }
  return reached.has(path.length);
}

/** The same for the signs of one name. */
function fitsName(parts: readonly Part[], name: string): boolean {
  if (name.startsWith(".") && !(parts[0]?.type === "text" && parts[0].text.startsWith("."))) return false;
  if (name === "") return parts.length === 0;
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    if (part.type === "any") for (let at = Math.min(...reached); at <= name.length; at++) next.add(at);
    else
      for (const at of reached) {
        const sign = part.type === "text" ? part.text : String.fromCodePoint(name.codePointAt(at) ?? 0);
        if (part.type === "text" ? name.startsWith(sign, at) : at < name.length && part.fits(sign))
          next.add(at + sign.length);
      }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(name.length);
}

function partsOf(name: string): Part[] {
  const parts: Part[] = [];
  for (const [piece] of name.matchAll(/\*+|\?|\[[!^]?\]?[^\]]*\]|[^*?[]+|\[/g)) {
    if (piece.startsWith("*")) parts.push({ type: "any" });
    else if (piece === "?") parts.push({ type: "one", fits: () => true });
    else if (piece.startsWith("[") && piece.endsWith("]")) parts.push({ type: "one", fits: setOf(piece) });
    else parts.push({ type: "text", text: piece });
  }
  return parts;
}

/** `piece` with its brackets. */
function setOf(piece: string): (sign: string) => boolean {
  const [, no = "", inside = ""] = /^\[([!^]?)(.*)\]$/s.exec(piece) ?? [];
  const signs = [...inside];
  const ranges: [string, string][] = [];
  for (let at = 0; at < signs.length; at++) {
    const [first = "", dash, last] = signs.slice(at, at + 3);
    const isRange = dash === "-" && last !== undefined;
    ranges.push([first, isRange ? last : first]);
    if (isRange) at += 2;
  }
  return (sign) => ranges.some(([first, last]) => first <= sign && sign <= last) !== (no !== "");
}
