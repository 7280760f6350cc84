/** A store that cannot grow: what is asked fails with its code, nothing crashes, and nothing that was told is lost. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Anything, Api } from "../../support/api.ts";
import { type House, openHouse, PROGRAM, storedRows } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";
import { Started } from "../../support/started.ts";

/** Files of the server may grow to so many blocks of 512 bytes: a write beyond is cut short, then fails. */
const BLOCKS = 800;
const LOUD = `name: loud
states:
  initial: a
  a: {type: step, command: "for i in $(seq 1 400); do printf '%01000d\\n' $i; sleep 0.002; done", on_success: b}
  b: {type: terminal}
`;
let house: House;
let limited: Started | undefined;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "loud.yaml"), LOUD);
});
afterEach(async () => {
  limited?.kill();
  await limited?.ended;
  await house.leave();
});

async function startLimited(): Promise<Api> {
  const words = `ulimit -f ${BLOCKS}; exec "$0" "$@"`;
  const argv = ["sh", "-c", words, process.execPath, PROGRAM, "serve", "--listen", "127.0.0.1:0"] as const;
  const started = new Started([...argv], { cwd: house.cwd, env: { ...house.env, TROUPE_TRUST: "1" } });
  limited = started;
  const port = await new Promise<number>((resolve, reject) => {
    started.child.stderr.on("data", () => {
      const found = /listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(started.stderr)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    void started.ended.then(() => reject(new Error(started.stderr)));
  });
  return new Api({ port });
}

test("the server lives, readers hear of it, and the log is what they have heard", async () => {
  const api = await startLimited();
  const followed: { run: string; seqs: number[]; names: string[] }[] = [];
  let refused: Anything;
  // Runs until the store is full; the last one is cut off in its midst or refused at its start.
  for (let n = 0; n < 50 && refused === undefined; n++) {
    const { status, body } = (await api.post("/api/runs", { workflow: "loud" })) as Anything;
    if (status !== 202) {
      refused = { status, body };
      break;
    }
    const reader = await api.events(body.run);
    if (reader.status !== 200) break;
    await reader.ended;
    followed.push({ run: body.run, seqs: reader.seqs, names: reader.names });
    if (reader.names.at(-1) === "fault") {
      expect(reader.events.at(-1)?.data).toMatchObject({ code: "SYSTEM.IO.WRITE_FAILED" });
      refused = (await api.post("/api/runs", { workflow: "hello" })) as Anything;
    }
  }
  expect([refused?.status, refused?.body.code]).toEqual([500, "SYSTEM.IO.WRITE_FAILED"]);
  // It is not ready, and says so to what watches over it.
  expect(await api.get("/readyz")).toMatchObject({ status: 503, body: { code: "SYSTEM.IO.WRITE_FAILED" } });
  expect(await (await fetch(`${api.at}/metrics`)).text()).toMatch(/^troupe_write_failures [1-9]/m);
  expect((await api.get("/api/workflows")).status).toBe(200);
  expect((await api.get("/api/runs")).status).toBe(200);
  expect(limited?.child.exitCode).toBe(null);
  limited?.kill();
  await limited?.ended;
  const told = limited?.stderr.split("\n").filter((line) => line.includes("the log cannot be written"));
  expect(told).toHaveLength(1);
  expect(told?.[0]).toMatch(/^troupe: error: .*Make room on the disk of .* code=SYSTEM\.IO\.WRITE_FAILED$/);

  const again = new Api(await startServer(house, [], { TROUPE_TRUST: "1" }));
  expect(followed.length).toBeGreaterThan(0);
  for (const { run, seqs } of followed) {
    const { session } = await again.run(run);
    const rows = storedRows(house.store, session);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const stored = rows.filter((row) => row.run === run).map(({ seq }) => seq);
    expect(stored.slice(0, seqs.length)).toEqual(seqs);
  }
  const next = await again.start("hello");
  expect((await again.whole(next.run)).names.at(-1)).toBe("run.completed");
});
