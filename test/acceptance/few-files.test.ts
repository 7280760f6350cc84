/** Many steps at once where few files may be open: what cannot be started says so, and the rest runs. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import { Started } from "../support/started.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/wide.yaml"]);
});
afterEach(() => house.leave());

test.skipIf(process.platform !== "linux").each([48, 64])("%i of them (skipped but on Linux)", async (most) => {
  const { cwd, env } = house;
  const limited = ["sh", "-c", `ulimit -n ${most}; exec "$@"`, "sh"] as const;
  const program = [process.execPath, PROGRAM, "run", "wide", "--trust", "--format", "json"] as const;
  const run = new Started([...limited, ...program], { cwd, env });
  expect(await run.ended).toEqual({ code: 0, signal: null });
  const ends = run.lines.filter((line) => line.includes('"step.completed"') && line.includes('"say"'));
  const failed = ends.filter((line) => line.includes('"failed"'));
  expect([ends.length, failed.length > 0, failed.length < 30]).toEqual([30, true, true]);
  expect(failed.filter((line) => !line.includes("too many files are open"))).toEqual([]);
});
