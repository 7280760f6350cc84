/**
 * How a person names a step of a run: its path, with rounds counted from 1 behind the loop's name, and below a called
 * workflow the address of the step that called it. `test/shard2`, `each[2]/look`, `deploy/push#2`.
 */

const ROUND = /^(\d+)\.(.*)$/s;

/** `path`: of a step in its run, as the log has it. `caller`: the address of the step that called the run, or "". */
export function addressOf(path: string, caller: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    const [, round, name = ""] = ROUND.exec(part) ?? [];
    if (round === undefined) parts.push(part);
    else parts.push(`${parts.pop() ?? ""}[${Number(round) + 1}]`, name);
  }
  return [...(caller === "" ? [] : [caller]), ...parts].join("/");
}

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
export function isMeant(address: string, word: string): boolean {
  const asked = word.replace(/\/$/, "");
  const isAt = (place: string): boolean =>
    place === asked || place.endsWith(`/${asked}`) || unnumbered(place) === asked;
  const parts = address.split("/");
  return parts.some((_, index) => isAt(parts.slice(0, index + 1).join("/")));
}

/** Without what numbers visits, attempts and rounds: the last name as the workflow has it. */
const unnumbered = (place: string): string =>
  (place.split("/").at(-1) ?? "").replace(/[#@]\d+/g, "").replace(/\[[^\]]*\]$/, "");
