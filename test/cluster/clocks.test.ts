/** Machines whose clocks are an hour off: waits and limits last as long as they say, and no log goes back in time. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { Api } from "../support/api.ts";
import { type House, openHouse } from "../support/house.ts";
import { SocketClient, startServer } from "../support/server.ts";
import type { Started } from "../support/started.ts";

const [ENGINE = "", ADMIN = "", WORKER = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");
const FOLDER = { TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "", TROUPE_TRUST: "1" };
const HOUR = 3_600_000;

let house: House;
beforeEach(() => {
  house = openHouse(["cluster/timed.yaml"]);
});
afterEach(() => house.leave());

/** Options of Node with which a process has another time. */
const off = (ms: number): string[] => {
  const file = join(house.root, `off${ms}.mjs`);
  writeFileSync(
    file,
    `const Real = Date;
     globalThis.Date = class extends Real {
       constructor(...given) { given.length === 0 ? super(Real.now() + ${ms}) : super(...given); }
       static now() { return Real.now() + ${ms}; }
     };`,
  );
  return ["--import", pathToFileURL(file).href];
};
const worker = async (ms: number): Promise<Started> => {
  const args = ["worker", "--engine", ENGINE, "--admin", ADMIN, "--listen", WORKER];
  const one = house.troupe(args, FOLDER, off(ms));
  while (!one.stderr.includes("works for")) await new Promise((resolve) => setTimeout(resolve, 10));
  return one;
};

test.each([
  { first: HOUR, second: -HOUR },
  { first: -HOUR, second: HOUR },
])(
  "a worker that is $first ms off, then one that is $second ms off",
  async ({ first, second }) => {
    const server = await startServer(house, ["--engine", ENGINE], FOLDER);
    const one = await worker(first);
    const editor = await SocketClient.ready(server.url);
    const session = await editor.session(house.cwd);
    const begun = performance.now();
    await editor.prompt(session, "/timed");
    one.kill();
    await one.ended;
    await worker(second);
    expect(await editor.prompt(session, "yes")).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(readFileSync(join(house.cwd, "marks"), "utf8").trim().split("\n")).toEqual([
      ...["flaky", "flaky", "endless", "again", "again"],
    ]);
    const reader = await new Api(server).sessionEvents(session, "?live=false");
    await reader.hears("turn.completed");
    const rows = reader.events.filter(({ id }) => id !== undefined).map(({ data }) => data as unknown as Exchange);
    const times = rows.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  },
  60_000,
);
