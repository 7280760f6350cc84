/**
 * How a person names a step of a run: the names on the way to it, with the item or the number of a round behind the
 * loop's name, and below a called workflow the address of the step that called it. `test/shard2`, `review[src/a.ts]/look`,
 * `each[2]/look` for the second round, `deploy/push#2`.
 *
 * I1. A round is named by its item where that has a short name, else by its number; its number names it too, but where
 *     the item is a number itself.
 */
import type { RoundOf } from "../exchange.ts";
import { visibleLine } from "../visible.ts";

const ROUND = /^(\d+)\.(.*)$/s;
/** UTF-16 units of an item that a round is named by. */
const LONGEST = 80;

/** `names`: from the outermost step on. `numbers`: the same with each round by its number, where that names it too. */
export type Address = { names: readonly string[]; numbers: readonly string[] };
export const NOWHERE: Address = { names: [], numbers: [] };

/** What a round is shown as; null where its number has to do. */
export function itemOf(round: RoundOf | undefined): string | null {
  const item = round?.item === undefined ? "" : visibleLine(round.item);
  return item === "" || item.length > LONGEST ? null : item;
}

/** Of a step below `above`, by its path behind that one's: `/left`, `@2/0.look` in a second attempt, `build` in a run of its own. */
export function addressBelow(above: Address, behind: string, item: string | null): Address {
  const [attempt = "", ...parts] = /^(@\d+)?\//.test(behind) ? behind.split("/") : ["", ...behind.split("/")];
  const from =
    attempt === "" ? above : { names: renamed(above.names, attempt), numbers: renamed(above.numbers, attempt) };
  return parts.reduce(
    (address, part, index) => extended(address, part, index === parts.length - 1 ? item : null),
    from,
  );
}
const renamed = (names: readonly string[], suffix: string): string[] => [
  ...names.slice(0, -1),
  `${names.at(-1) ?? ""}${suffix}`,
];

function extended({ names, numbers }: Address, part: string, item: string | null): Address {
  const [, index, name = ""] = ROUND.exec(part) ?? [];
  if (index === undefined) return { names: [...names, part], numbers: [...numbers, part] };
  const number = Number(index) + 1;
  const shown = item ?? number;
  return {
    names: [...renamed(names, `[${shown}]`), name],
    numbers: [...renamed(numbers, `[${/^\d+$/.test(String(shown)) ? shown : number}]`), name],
  };
}

/** The same of a step whose rounds are known by their numbers alone. */
export const numberedOf = (path: string): string => textOf(addressBelow(NOWHERE, path, null));
export const textOf = ({ names }: Address): string => names.join("/");

/** The round of a loop's body that a step belongs to, counted from 1; null for any other step. */
export function roundOf(path: string): number | null {
  const round = ROUND.exec(path.split("/").at(-1) ?? "")?.[1];
  return round === undefined ? null : Number(round) + 1;
}

/** The path of the step that a step is part of, whichever attempt; "" for a step of the run itself. */
export function pathAbove(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash).replace(/@\d+$/, "");
}

/** Whether a person means this step, or one that it is part of: by the address, its end, or the name alone. */
export function isMeant({ names, numbers }: Address, word: string): boolean {
  const asked = word.replace(/\/$/, "");
  return isAmong(names, asked) || isAmong(numbers, asked);
}

function isAmong(names: readonly string[], asked: string): boolean {
  return names.some((name, index) => {
    const place = names.slice(0, index + 1).join("/");
    return (
      place === asked || place.endsWith(`/${asked}`) || unnumbered(name) === asked || ofRound(names, index) === asked
    );
  });
}

/** `look[src/a.ts]`: a state of the body, by its own name and its round's. */
function ofRound(names: readonly string[], index: number): string | null {
  const bracket = /\[.*$/s.exec(names[index - 1] ?? "")?.[0];
  return bracket === undefined ? null : `${names[index]}${bracket}`;
}

/** Without what numbers visits, attempts and rounds: the last name as the workflow has it. */
const unnumbered = (name: string): string => name.replace(/\[.*$/s, "").replace(/[#@]\d+/g, "");
