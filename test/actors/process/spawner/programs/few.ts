/**
 * Owns a spawner, may open no more files, and has it start a child that makes the file it is given.
 * It prints what became of the start, and of a second one when it may open files again.
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { spawnerProgram } from "../../../../../actors/process/spawner/launch.ts";
import { Spawner } from "../../../../../actors/process/spawner/spawner.ts";

const [, , file = ""] = process.argv;
const MS_TO_START_IN = 300;
const spawner = new Spawner(spawnerProgram() ?? "");
const staysUp = setInterval(() => undefined, MS_TO_START_IN);
await spawner.ready;

function* allFiles(): Generator<number> {
  try {
    for (;;) yield openSync("/dev/null", "r");
  } catch {
    // That was the last one.
  }
}

async function launched(): Promise<string> {
  const word = await spawner.launch({ argv: ["/usr/bin/env", "touch", file], cwd: "/", env: {}, stdin: "ignore" });
  return word?.type === "fault" && word.error instanceof Error && "code" in word.error
    ? String(word.error.code)
    : String(word?.type);
}

const files = [...allFiles()];
const first = launched();
await new Promise(setImmediate);
// While we are busy the system takes connections for us; that we may open no more files shows after it.
const until = Date.now() + MS_TO_START_IN;
while (!existsSync(file) && Date.now() < until);
process.stdout.write(`${await first} ${existsSync(file)}\n`);
for (const one of files) closeSync(one);
process.stdout.write(`${await launched()}\n`);
clearInterval(staysUp);
spawner.close();
