/** Real processes over one engine: a run outlives the worker that worked for it, and the one that follows it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { type House, openHouse } from "../support/house.ts";
import type { Started } from "../support/started.ts";

const [ENGINE = "", ADMIN = "", WORKER = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");

let house: House;
beforeEach(async () => {
  house = openHouse(["cluster/cut-off.yaml"]);
});
afterEach(() => house.leave());

const worker = async (): Promise<Started> => {
  const one = house.troupe(["worker", "--engine", ENGINE, "--admin", ADMIN, "--listen", WORKER], {
    TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "",
  });
  await until(() => one.stderr.includes("works for"));
  return one;
};
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};
const marks = (): string[] => {
  const file = join(house.cwd, "marks");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};
const rowsOf = ({ lines }: Started): Exchange[] => lines.map((line) => JSON.parse(line) as Exchange);
const isWorkedBy = (one: Started): boolean => {
  const children = readFileSync(`/proc/${one.child.pid}/task/${one.child.pid}/children`, "utf8").trim();
  return children !== "";
};

test("kill -9 of the worker in the middle of a step: another one resumes the run, the log has no gap", async () => {
  const workers = [await worker(), await worker()];
  const run = house.troupe(["run", "cut-off", "--engine", ENGINE, "--trust", "--format", "json"]);
  await until(() => marks().length === 1);
  const victim = workers.find(isWorkedBy);
  victim?.kill();
  await victim?.ended;
  await until(() => marks().length === 2); // the other one has begun it again
  writeFileSync(join(house.cwd, "go"), "");
  expect([(await run.ended).code, run.stderr]).toEqual([0, ""]);
  expect(marks()).toEqual(["first", "first", "second"]);
  const rows = rowsOf(run);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.at(-1)).toMatchObject({ type: "turn.completed", payload: { stopReason: "end_turn" } });
  expect(rows.filter(({ type }) => type === "step.completed")).toHaveLength(2);
});

test("an interrupt cancels the run where it works", async () => {
  await worker();
  const run = house.troupe(["run", "cut-off", "--engine", ENGINE, "--trust", "--format", "json"]);
  await until(() => marks().length === 1);
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  expect(rowsOf(run).at(-1)).toMatchObject({ type: "turn.completed", payload: { stopReason: "cancelled" } });
});

test("an engine that does not answer is named, with what to do", async () => {
  const run = house.troupe(["run", "cut-off", "--engine", "http://127.0.0.1:9", "--trust"]);
  expect((await run.ended).code).toBe(4);
  expect(run.stderr).toContain("SYSTEM.ENGINE.UNREACHABLE");
});
