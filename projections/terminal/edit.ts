/**
 * An edit that a person decides by: what goes and what comes, whole, with nothing invisible in it.
 *
 * I1. Lines that are the same at the beginning and at the end are counted; every other one is shown.
 */
import { paint } from "./paint.ts";
import { safeConsent } from "./safe.ts";

export type EditView = { path: string; oldText: string | null; newText: string };

export function editLines({ path, oldText, newText }: EditView, { colours }: { colours: boolean }): string[] {
  const { bold, dim, green, red } = paint(colours);
  const [before, after] = [linesOf(oldText ?? ""), linesOf(newText)];
  let top = 0;
  while (top < before.length && top < after.length && before[top] === after[top]) top++;
  let bottom = 0;
  const most = Math.min(before.length, after.length) - top;
  while (bottom < most && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom++;
  const same = (count: number): string[] => (count === 0 ? [] : [dim(`  … ${count} lines as they are`)]);
  return [
    bold(`± ${safeConsent(path)}${oldText === null ? " (new)" : ""}`),
    ...same(top),
    ...before.slice(top, before.length - bottom).map((line) => red(`- ${safeConsent(line)}`)),
    ...after.slice(top, after.length - bottom).map((line) => green(`+ ${safeConsent(line)}`)),
    ...same(bottom),
  ];
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
