/**
 * Who cancels sits in one process, the step's worker is another: the command and its children end there, at most 6 s
 * later, also where they ignore every signal that can be ignored.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../actors/base/clock.ts";
import type { Exchange } from "../../machines/exchange.ts";
import { childrenOf, type House, openHouse } from "../support/house.ts";
import { type Server, SocketClient, startServer } from "../support/server.ts";
import type { Started } from "../support/started.ts";

const [ENGINE = "", ADMIN = "", WORKER = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");
const WITHIN_MS = 6_000;

let house: House;
let worker: Started;
beforeEach(async () => {
  house = openHouse(["cluster/stubborn.yaml"]);
  worker = house.troupe(["worker", "--engine", ENGINE, "--admin", ADMIN, "--listen", WORKER], {
    TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "",
  });
  await until(() => worker.stderr.includes("works for"));
});
afterEach(() => house.leave());

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};
/** Those of the step: the command, and what it has started. */
const begun = async (): Promise<number[]> => {
  const file = join(house.cwd, "pids");
  const pids = (): number[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : []);
  await until(() => pids().length === 2);
  return pids();
};
/** Resolves when nothing of the worker's runs, with how long that took. */
const ending = async (cancel: () => void): Promise<number> => {
  const pids = await begun();
  expect(childrenOf(worker.owner)).toEqual(expect.arrayContaining(pids));
  const at = systemClock.elapsed();
  cancel();
  await until(() => childrenOf(worker.owner).length === 0);
  return systemClock.elapsed() - at;
};
const gateway = (): Promise<Server> => startServer(house, ["--engine", ENGINE], { TROUPE_TRUST: "1" });
const prompted = async () => {
  const { url } = await gateway();
  const editor = await SocketClient.ready(url);
  const session = await editor.session(house.cwd);
  return { editor, session, answer: editor.prompt(session, "/stubborn") };
};
const CANCELLED = { result: { stopReason: "cancelled" } };

test("session/cancel at the gateway that has the turn", async () => {
  const { editor, session, answer } = await prompted();
  expect(await ending(() => editor.notify("session/cancel", { sessionId: session }))).toBeLessThan(WITHIN_MS);
  expect(await answer).toMatchObject(CANCELLED);
}, 60_000);

test("session/cancel at another gateway than the one that began the turn, which hears of it", async () => {
  const { session, answer } = await prompted();
  const other = await SocketClient.ready((await gateway()).url);
  await begun();
  await other.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  expect(await ending(() => other.notify("session/cancel", { sessionId: session }))).toBeLessThan(WITHIN_MS);
  expect(await answer).toMatchObject(CANCELLED);
}, 60_000);

test("Ctrl-C of troupe run", async () => {
  const run = house.troupe(["run", "stubborn", "--engine", ENGINE, "--trust", "--format", "json"]);
  expect(await ending(() => void run.child.kill("SIGINT"))).toBeLessThan(WITHIN_MS);
  expect((await run.ended).code).toBe(130);
  const last = JSON.parse(run.lines.at(-1) ?? "{}") as Exchange;
  expect(last).toMatchObject({ type: "turn.completed", payload: { stopReason: "cancelled" } });
}, 60_000);
