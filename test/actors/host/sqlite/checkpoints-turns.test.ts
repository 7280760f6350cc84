/** Covers `checkpoints.ts`: when its thread begins, when it is asked again, and how it ends. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Checkpoints, STATEMENTS_BETWEEN } from "../../../../actors/host/sqlite/checkpoints.ts";

let root: string;
let noted: string;
let open: Checkpoints[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-turns-"));
  noted = join(root, "noted");
  writeFileSync(noted, "");
  open = [];
});
afterEach(() => {
  for (const one of open) one.close();
  rmSync(root, { recursive: true, force: true });
});

/** With a program that notes what it is asked, and of which file, and then does as the text says. */
function checkpoints(then = "parentPort.postMessage('done')"): Checkpoints {
  const program = join(root, "program.mjs");
  const heard = `appendFileSync(${JSON.stringify(noted)}, asked + " " + workerData + ";")`;
  writeFileSync(
    program,
    `import { appendFileSync } from "node:fs"; import { parentPort, workerData } from "node:worker_threads";
     parentPort.on("message", (asked) => { ${heard}; ${then}; });`,
  );
  const made = new Checkpoints("the file", program);
  open.push(made);
  return made;
}
const ASKED = "checkpoint the file;";
const isNoted = (times: number): boolean => readFileSync(noted, "utf8") === ASKED.repeat(times);
const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await setImmediate();
};

test("its thread is asked after so many statements, and not before", async () => {
  const one = checkpoints();
  one.note(STATEMENTS_BETWEEN - 1);
  expect(one.isIdle).toBe(true);
  one.note(1);
  expect(one.isIdle).toBe(false);
  await until(() => one.isIdle);
  expect(isNoted(1)).toBe(true);
  one.note(STATEMENTS_BETWEEN - 1);
  expect(one.isIdle).toBe(true);
  one.note(1);
  await until(() => one.isIdle);
  expect(isNoted(2)).toBe(true);
});

test("what is written while it works has it asked once more, when it has done that", async () => {
  const one = checkpoints();
  one.note(STATEMENTS_BETWEEN);
  one.note(STATEMENTS_BETWEEN - 1);
  one.note(1);
  await until(() => isNoted(2) && one.isIdle);
  one.note(STATEMENTS_BETWEEN - 1);
  expect([one.isIdle, isNoted(2)]).toEqual([true, true]);
});

test("one that is closed is asked nothing any more, also where its thread was about to begin", async () => {
  const one = checkpoints();
  one.note(STATEMENTS_BETWEEN);
  one.close();
  one.note(STATEMENTS_BETWEEN);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect([one.isIdle, isNoted(0)]).toEqual([false, true]);
});

test.each(["throw new Error('broken')", "process.exit(0)"])("one whose thread ends is off: %s", async (then) => {
  const one = checkpoints(then);
  one.note(STATEMENTS_BETWEEN);
  await until(() => isNoted(1));
  for (let turn = 0; turn < 200; turn++) {
    one.note(STATEMENTS_BETWEEN);
    await setImmediate();
  }
  expect([one.isIdle, isNoted(1)]).toEqual([false, true]);
});

test("without a program there is nothing to wait for", () => {
  const one = new Checkpoints("the file", null);
  one.note(STATEMENTS_BETWEEN);
  expect(one.isIdle).toBe(true);
  one.close();
  expect(one.isIdle).toBe(false);
});
