/** A house where `troupe` is on the PATH, as for a user of an editor. A tape records the messages between the two. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type House, openHouse, PROGRAM } from "../../support/house.ts";
import { Tape } from "../../support/tape.ts";

export const PROGRAMS: string = fileURLToPath(new URL("./programs/", import.meta.url));
const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

export type Desk = { house: House; tape: Tape; env: { [name: string]: string } };

/** Workflows are files below test/fixtures. */
export function openDesk(workflows: readonly string[]): Desk {
  const house = openHouse(workflows);
  const tape = new Tape(join(house.root, "records"));
  const bin = join(house.root, "bin");
  mkdirSync(bin);
  const command = tape.command([process.execPath, PROGRAM]).map((word) => `'${word}'`);
  writeFileSync(join(bin, "troupe"), `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  chmodSync(join(bin, "troupe"), 0o755);
  const env = { ...house.env, PATH: `${bin}:${house.env["PATH"]}`, TROUPE_TRUST: "1" };
  return { house, tape, env };
}

/** The first block of this language in a document of the project that holds `word`: the text that users copy. */
export function snippetOf(document: string, language: string, word: string): string {
  const blocks = readFileSync(join(PROJECT, document), "utf8").split("```");
  const block = blocks.find(
    (text, index) => index % 2 === 1 && text.startsWith(`${language}\n`) && text.includes(word),
  );
  if (block === undefined) throw new Error(`${document} has no ${language} with ${word}`);
  return block.slice(language.length + 1);
}

/** Whether a step's process runs. It has written its id into a file of the workspace. */
export function runs(house: House, file: string): boolean {
  try {
    return process.kill(Number(readFileSync(join(house.cwd, file), "utf8")), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
