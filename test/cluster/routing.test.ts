/** Covers `placing.ts`, `registering.ts`: a run is worked by workers with its tag. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { freePorts } from "../support/cluster.ts";
import { type House, openHouse } from "../support/house.ts";
import type { Started } from "../support/started.ts";

const [ENGINE = "", ADMIN = "", WORKER = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");

let house: House;
beforeEach(() => {
  house = openHouse(["cluster/where.yaml"]);
});
afterEach(() => house.leave());

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};
const worker = async (name: string, tagged: readonly string[] = []): Promise<Started> => {
  const args = ["worker", "--engine", ENGINE, "--admin", ADMIN, "--listen", WORKER, ...tagged];
  const one = house.troupe(args, {
    TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "",
    WORKER_NAME: name,
  });
  await until(() => one.stderr.includes("works for"));
  return one;
};
const run = (...options: string[]): Started =>
  house.troupe(["run", "where", "--trust", "--format", "json", "--engine", ENGINE, ...options]);
const rowsOf = ({ lines }: Started): Exchange[] => lines.map((line) => JSON.parse(line) as Exchange);
const said = (one: Started): string => JSON.stringify(rowsOf(one));
const told = (one: Started): unknown[] =>
  rowsOf(one).flatMap(({ type, payload }) => (type === "notice" && "code" in payload ? [payload.code] : []));

test("a run is worked by a worker with its tag alone; where there is none, it says so, and goes on when one comes", async () => {
  const [east = 0, west = 0] = await freePorts(2);
  await worker("plain");
  const waiting = run("--worker-tag", "west");
  await until(() => told(waiting).length > 0);
  await worker("east", ["--tag", "east", "--listen", `127.0.0.1:${east}`]);
  const first = run("--worker-tag", "east");
  expect((await first.ended).code).toBe(0);
  expect([said(first).includes("worked by east"), told(first)]).toEqual([true, []]);
  expect(told(waiting)).toEqual(["SYSTEM.ENGINE.NO_WORKER"]); // no other worker has taken it
  const late = await worker("west", ["--tag", "west", "--listen", `127.0.0.1:${west}`]);
  expect((await waiting.ended).code).toBe(0);
  expect(said(waiting)).toContain("worked by west");
  late.kill(); // the engine knows its address, and nobody is there
  await late.ended;
  const again = run("--worker-tag", "west");
  await until(() => told(again).length > 0);
  again.child.kill("SIGINT");
  expect((await again.ended).code).toBe(130);
  const untagged = run();
  await untagged.ended;
  expect(said(untagged)).toContain("worked by plain");
}, 60_000);

test("workers with other tags do not share an address", async () => {
  await worker("plain");
  const args = ["worker", "--engine", ENGINE, "--admin", ADMIN, "--tag", "east"];
  const env = { TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "" };
  const [lost, shared] = [house.troupe(args, env), house.troupe([...args, "--listen", WORKER], env)];
  expect([(await lost.ended).code, (await shared.ended).code]).toEqual([1, 1]);
  expect(lost.stderr).toContain("--tag needs --listen");
  expect(shared.stderr).toContain("are at that address");
}, 30_000);
