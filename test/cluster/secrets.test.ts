/** Covers `lacking.ts`, `handing-back.ts`: secrets that a worker knows, and those that were typed at another machine. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { type House, openHouse } from "../support/house.ts";
import type { Started } from "../support/started.ts";

const [ENGINE = "", ADMIN = "", WORKER = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");
const CANARY = "canary-7f3a9c51e2";

let house: House;
beforeEach(() => {
  house = openHouse(["cluster/secret.yaml"]);
});
afterEach(() => house.leave());

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};
const worker = async (env: { [name: string]: string } = {}): Promise<Started> => {
  const folder = { TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "" };
  const args = ["worker", "--engine", ENGINE, "--admin", ADMIN, "--listen", WORKER];
  const one = house.troupe(args, { ...folder, ...env });
  await until(() => one.stderr.includes("works for"));
  return one;
};
const run = (value: string, env: { [name: string]: string } = {}): Started =>
  house.troupe(["run", "secret", "--trust", "--format", "json", "--engine", ENGINE, "-i", `token=${value}`], env);
const notices = ({ lines }: Started): unknown[] =>
  lines.flatMap((line) => {
    const { type, payload } = JSON.parse(line) as Exchange;
    return type === "notice" && "code" in payload ? [[payload.code, payload.message]] : [];
  });
/**
 * In how many values of sessions the engine keeps a text, and in how many entries of what is under way. Its files are
 * compressed: the engine itself is asked.
 */
const holding = async (text: string): Promise<number[]> => {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const count = async (where: string): Promise<number> => {
    const body = JSON.stringify({ query: `select count(*) as n from ${where}` });
    const response = await fetch(`${ADMIN}/query`, { method: "POST", headers, body });
    return ((await response.json()) as { rows: { n: number }[] }).rows[0]?.n ?? Number.NaN;
  };
  const hex = Buffer.from(text).toString("hex");
  return [
    await count(`state where value_utf8 like '%${text}%'`),
    await count(`sys_journal where encode(raw, 'hex') like '%${hex}%'`),
  ];
};
const somewhere = [expect.toSatisfy((n: number) => n > 0), expect.toSatisfy((n: number) => n > 0)];

test("a secret that was typed elsewhere is waited for, said once, and taken from a worker's environment", async () => {
  const first = await worker();
  const waiting = run(`${CANARY}-typed`);
  await until(() => notices(waiting).length > 0);
  expect([await holding("step-of-the-canary"), await holding(CANARY)]).toEqual([somewhere, [0, 0]]);
  first.kill();
  await first.ended;
  await worker({ TROUPE_INPUT_TOKEN: `${CANARY}-typed` });
  expect((await waiting.ended).code).toBe(0);
  const words =
    "a worker does not know the secret token: this goes on when one comes that has TROUPE_INPUT_TOKEN in its environment";
  expect(notices(waiting)).toEqual([["SYSTEM.ENGINE.NO_WORKER", words]]);
  expect(waiting.lines.join("")).toContain("step-of-the-canary");
  expect(await holding(CANARY)).toEqual([0, 0]);
}, 60_000);

test("a step that waits for a secret is cancelled at once", async () => {
  await worker();
  const waiting = run(`${CANARY}-typed`);
  await until(() => notices(waiting).length > 0);
  waiting.child.kill("SIGINT");
  expect((await waiting.ended).code).toBe(130);
}, 60_000);

test("neither sessions nor what is under way hold a secret that the worker knows", async () => {
  writeFileSync(join(house.cwd, "hold"), "");
  await worker({ WORKER_TOKEN: `${CANARY}-known` });
  const working = run(`${CANARY}-known`, { WORKER_TOKEN: `${CANARY}-known` });
  await until(() => working.lines.join("").includes("step-of-the-canary"));
  expect([await holding("step-of-the-canary"), await holding(CANARY)]).toEqual([somewhere, [0, 0]]);
  rmSync(join(house.cwd, "hold"));
  expect((await working.ended).code).toBe(0);
  expect(await holding(CANARY)).toEqual([0, 0]);
}, 60_000);
