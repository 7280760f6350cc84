/**
 * A user whom the rights of files bind: who runs the tests, or, where that is root, nobody.
 *
 * I1. What is made for a case is given to that user, so that it holds for both.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const NOBODY = 65_534;
export const isRoot = process.getuid?.() === 0;
const WHO = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const MAIN = resolve("transports/cli/main.ts");

export type Said = { status: number | null; stdout: string; stderr: string };

/** Runs Node as that user, with this environment and no other. */
export function asOrdinary(args: readonly string[], env: { [name: string]: string }, cwd = "/"): Said {
  const told = { PATH: process.env["PATH"] ?? "", ...env };
  return spawnSync(process.execPath, args, { ...WHO, cwd, env: told, encoding: "utf8", timeout: 60_000 });
}

/** A module of this tree, as `import` takes it. */
export const importing = (path: string): string => JSON.stringify(pathToFileURL(resolve(path)).href);

/** What is wrong where such a user cannot read this tree; null where cases can be made. */
export const noOrdinary: string | null =
  process.getuid === undefined ||
  asOrdinary(["--eval", `require("fs").readFileSync(${JSON.stringify(MAIN)})`], {}).status !== 0
    ? "no user whom rights bind can read this tree"
    : null;

/** Gives a folder and all in it to that user. */
export function giveToOrdinary(path: string): void {
  if (isRoot) chownSync(path, NOBODY, NOBODY);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveToOrdinary(join(path, name));
}

/** Opens what a case has closed, so that it can be removed. */
export function openAll(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openAll(join(path, name));
}
