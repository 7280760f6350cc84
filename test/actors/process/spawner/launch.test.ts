import { afterEach, expect, it } from "vitest";
import type { Launched } from "../../../../actors/process/child.ts";
import { launcher, SMALL_BYTES, spawnerProgram } from "../../../../actors/process/spawner/launch.ts";
import type { Spawner } from "../../../../actors/process/spawner/spawner.ts";
import { newSpawner } from "../support.ts";

const TRUE = { argv: ["true"], cwd: "/", env: { PATH: process.env["PATH"] ?? "" }, stdin: "ignore" } as const;
const made: Spawner[] = [];
const make = (): Spawner => {
  const one = newSpawner();
  made.push(one);
  return one;
};
afterEach(() => {
  for (const one of made.splice(0)) one.close();
});

async function code(launched: Launched | Promise<Launched>): Promise<unknown> {
  const one = await launched;
  if (one.type !== "started") return one.type;
  one.child.stdout.resume();
  one.child.stderr.resume();
  return (await one.child.exited).code;
}

it("has no spawner while we are small", async () => {
  const launch = launcher(() => SMALL_BYTES, make);
  expect([await code(launch(TRUE)), await code(launch(TRUE)), made.length]).toEqual([0, 0, 0]);
});

it("I1 one child has no spawner; who comes after it does not wait while it comes", async () => {
  const launch = launcher(() => SMALL_BYTES + 1, make);
  expect([await code(launch(TRUE)), made.length]).toEqual([0, 0]);
  const second = launch(TRUE);
  expect([second, made.length, made[0]?.isReady]).toMatchObject([{ type: "started" }, 1, false]);
  await Promise.all([code(second), made[0]?.ready]);
  expect([await code(launch(TRUE)), made.length, made[0]?.launches]).toEqual([0, 1, 1]);
});

it("I1 a child beside another one waits for the spawner", async () => {
  const launch = launcher(() => SMALL_BYTES + 1, make);
  const both = [launch(TRUE), launch(TRUE)];
  expect(both).toMatchObject([{ type: "started" }, expect.any(Promise)]);
  expect([await Promise.all(both.map(code)), made[0]?.launches]).toEqual([[0, 0], 1]);
});

it("I2 replaces a spawner that died once, then starts children itself", async () => {
  const launch = launcher(() => SMALL_BYTES + 1, make);
  const codes = [await code(launch(TRUE))];
  for (let at = 0; at < 3; at++) {
    codes.push(await code(launch(TRUE)));
    await made[at]?.ready;
    codes.push(await code(launch(TRUE)));
    made[at]?.close();
  }
  expect([codes, made.map(({ launches }) => launches)]).toEqual([Array(7).fill(0), [1, 1]]);
});

it("I2 starts children itself where a spawner cannot be had", async () => {
  for (const none of [
    () => null,
    () => {
      throw new Error("no place for sockets");
    },
  ]) {
    const launch = launcher(() => SMALL_BYTES + 1, none);
    expect([await code(launch(TRUE)), await code(launch(TRUE)), await code(launch(TRUE))]).toEqual([0, 0, 0]);
  }
});

it("finds its program beside the source, and says so where there is none", () => {
  expect(spawnerProgram()).toMatch(/program\.ts$/);
  expect(spawnerProgram("/nowhere/chunks/launch.js")).toBe(null);
});
