import { afterEach, expect, it } from "vitest";
import type { Launched } from "../../../../actors/process/child.ts";
import { launcher, SMALL_BYTES, spawnerProgram } from "../../../../actors/process/spawner/launch.ts";
import type { Spawner } from "../../../../actors/process/spawner/spawner.ts";
import { newSpawner, until } from "../support.ts";

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

it("I1 starts the first child itself, the next by the spawner", async () => {
  const launch = launcher(() => SMALL_BYTES + 1, make);
  expect(launch(TRUE)).toMatchObject({ type: "started" });
  await until(() => made.length === 1);
  expect([await code(launch(TRUE)), made.length, made[0]?.launches]).toEqual([0, 1, 1]);
});

it("I2 replaces a spawner that died once, then starts children itself", async () => {
  const launch = launcher(() => SMALL_BYTES + 1, make);
  const codes = [await code(launch(TRUE))];
  for (let at = 0; at < 3; at++) {
    codes.push(await code(launch(TRUE)));
    made[at]?.close();
  }
  expect([codes, made.map(({ launches }) => launches)]).toEqual([
    [0, 0, 0, 0],
    [1, 1],
  ]);
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
