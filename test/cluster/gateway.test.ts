/** Real gateways: what they say of their engine, what they refuse, and that two of them list the same. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import type { Started } from "../support/started.ts";

const [ENGINE = "", ADMIN = "", WORKER = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");
const NOBODY = "http://127.0.0.1:9";

let house: House;
beforeEach(() => {
  house = openHouse(["cluster/talk.yaml"]);
});
afterEach(() => house.leave());

const says = async (one: Started, words: RegExp): Promise<string> => {
  for (;;) {
    const found = words.exec(one.stderr);
    if (found !== null) return found[1] ?? "";
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
const gateway = async (engine: string): Promise<string> => {
  const one = house.troupe(["serve", "--listen", "127.0.0.1:0", "--engine", engine]);
  return await says(one, /the page of runs is at (\S+)\/,?\s/);
};
const worker = async (): Promise<void> => {
  const folder = { TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "" };
  const args = ["worker", "--engine", ENGINE, "--admin", ADMIN, "--listen", WORKER];
  await says(house.troupe(args, folder), /works for/);
};
const ready = async (at: string): Promise<[number, unknown]> => {
  const response = await fetch(`${at}/readyz`);
  return [response.status, ((await response.json()) as { code?: string }).code];
};
const numbers = async (at: string): Promise<string> => await (await fetch(`${at}/metrics`)).text();

test("a gateway says whether its engine answers", async () => {
  await worker();
  const [one, lost] = [await gateway(ENGINE), await gateway(NOBODY)];
  expect([await ready(one), await ready(lost)]).toEqual([
    [200, undefined],
    [503, "SYSTEM.ENGINE.UNREACHABLE"],
  ]);
  expect(await numbers(one)).toMatch(/^troupe_ready\S* 1$/m);
  await ready(one); // what the numbers have begun is over: no call is left that only this worker can take
  expect(await numbers(lost)).toMatch(/^troupe_ready\S* 0$/m);
}, 60_000);

test("a run that neither of two gateways has met is listed by both, and found by its id", async () => {
  await worker();
  const run = house.troupe(["run", "talk", "--trust", "--engine", ENGINE]);
  expect((await run.ended).code).toBe(0);
  const listed = async (at: string) => (await fetch(`${at}/api/runs?status=parked`)).json();
  const [one, other] = [await gateway(ENGINE), await gateway(ENGINE)];
  const found = (await listed(one)) as { runs: { id: string; status: string }[] };
  expect(found.runs).toMatchObject([{ workflow: "talk", status: "parked" }]);
  expect(await listed(other)).toEqual(found);
  const { id = "" } = found.runs[0] ?? {};
  expect(await (await fetch(`${other}/api/runs/${id}`)).json()).toMatchObject({ id, status: "parked" });
  // Other files list what waits on this engine.
  expect((await house.troupe(["decide", id, "blue", "--engine", ENGINE]).ended).code).toBe(0);
}, 60_000);

test("schedules are refused where sessions live on an engine", async () => {
  const one = house.troupe(["serve", "--listen", "127.0.0.1:0", "--engine", NOBODY, "--schedules"]);
  expect((await one.ended).code).toBe(1);
  expect(one.stderr).toContain("USER.SERVE.SCHEDULES");
});
