/**
 * `troupe rerun`: a run that has ended runs again, as a new run.
 *
 * R1. Only what failed, and the steps after it, run again. Earlier results are taken over, and both logs say so.
 * R2. Results that no longer fit the workflow are refused, with a list of differences. `--force` continues with that
 *     list.
 * R3. A rerun may begin with a round: of rounds at once with that round alone, of rounds in order with it and all later
 *     ones.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe, type PromptBlock } from "../../actors/troupe.ts";
import type { Exchange } from "../../machines/exchange.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import type { Started } from "../support/started.ts";

let house: House;
let trace: string;
beforeEach(() => {
  house = openHouse(["acceptance/sharded.yaml", "acceptance/rounds.yaml"]);
  trace = join(house.root, "trace");
  writeFileSync(trace, "");
});
afterEach(() => house.leave());

const rowsOf = (): Exchange[] => storedSessions(house.store).flatMap((id) => storedRows(house.store, id));
const lines = (file: string): string[] =>
  readFileSync(file, "utf8")
    .trim()
    .split(/\s*\n\s*/);
const inRun = (run: string): Exchange[] => rowsOf().filter((row) => row.run === run);
const steps = (run: string, type: "step.started" | "step.completed"): string[] =>
  inRun(run).flatMap((row) => (row.type === type ? [row.step ?? ""] : []));
const runs = (): Extract<Exchange, { type: "run.started" }>[] => rowsOf().filter((row) => row.type === "run.started");
async function said(one: Started): Promise<{ code: number | null; out: string; err: string }> {
  const { code } = await one.ended;
  return { code, out: one.lines.join("\n"), err: one.stderr };
}
const sharded = () => said(house.troupe(["run", "sharded", "--trust", "--output", "full", "-i", `trace=${trace}`]));
const mend = (): void => writeFileSync(`${trace}.mended`, "");

test("of twelve shards only the failed one runs again, and the steps after it (R1)", async () => {
  expect(await sharded()).toMatchObject({ code: 3 });
  const failed = await said(house.troupe(["logs", "@last", "test[7]"]));
  expect(failed.out).toContain("expected 4, found 5");
  const first = runs()[0]?.run ?? "";
  mend();
  const again = await said(house.troupe(["rerun", "@last", "--failed", "--trust", "--output", "full"]));
  expect(again).toMatchObject({ code: 0, err: "" });
  expect(again.out).toContain(`Run ${first} again from "test"; taken over: build; 11 of 12 rounds taken over`);
  const started = runs()[1];
  expect(started?.payload.rerun).toEqual({ run: first, from: "test", taken: ["build"], rounds: { taken: 11, of: 12 } });
  expect(inRun(first).at(-1)).toMatchObject({ type: "run.rerun", payload: { by: started?.run } });
  expect(steps(started?.run ?? "", "step.started")).toEqual(["test", "test/6.shard", "gate"]);
  const shards = Array.from({ length: 12 }, (_, index) => `shard ${index + 1}`);
  expect(lines(trace).sort()).toEqual(["built", ...shards, "shard 7"].sort());
  expect(lines(`${trace}.all`)).toEqual(
    shards.map((_, index) => `${index + 1} completed ${index + 1}, built at level one`),
  );
});

test("results that are taken over have to fit the workflow (R2)", async () => {
  await sharded();
  mend();
  const file = join(house.cwd, ".troupe", "workflows", "sharded.yaml");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.replace("built at level", "made at level"));
  const refused = await said(house.troupe(["rerun", "@last", "--failed", "--trust"]));
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toMatch(/"build": command changed[\s\S]*--force/);
  writeFileSync(file, source.replace("initial: build", "initial: build # as it was").replace("Twelve", "12"));
  const other = await said(house.troupe(["rerun", "@last", "--failed", "--trust", "-i", "level=two"]));
  expect(other).toMatchObject({ code: 1, out: "" });
  expect(other.err).toContain('"build" reads inputs.level, which has another value');
  const forced = await said(
    house.troupe(["rerun", "@last", "--failed", "--trust", "--force", "-i", "level=two", "--output", "full"]),
  );
  expect(forced).toMatchObject({ code: 0 });
  expect(forced.out).toContain('what differs now: "build" reads inputs.level');
  expect(lines(trace).filter((line) => line === "built")).toHaveLength(1);
});

test("a rerun begins at a step, or at the beginning, or is refused (R1)", async () => {
  await sharded();
  mend();
  const from = await said(house.troupe(["rerun", "@last", "--from", "test", "--trust"]));
  expect(from).toMatchObject({ code: 0 });
  expect(steps(runs()[1]?.run ?? "", "step.completed")).toHaveLength(14);
  const whole = await said(house.troupe(["rerun", runs()[0]?.run ?? "", "--trust", "-i", "level=two"]));
  expect(whole).toMatchObject({ code: 0 });
  expect(lines(trace).filter((line) => line === "built")).toHaveLength(2);
  expect(lines(`${trace}.all`)[0]).toBe("1 completed 1, built at level two");
  const nothing = await said(house.troupe(["rerun", "@last", "--failed", "--trust"]));
  expect(nothing).toMatchObject({ code: 1 });
  expect(nothing.err).toContain("name a step to begin with (--from, from=step)");
  const nowhere = await said(house.troupe(["rerun", "@last", "--from", "deploy", "--trust"]));
  expect(nowhere.err).toContain('has not come to a step "deploy": it went by build, test, gate');
});

test("a rerun begins with a round, by any of its names: of twelve at once that one and what failed (R3)", {
  timeout: 90_000,
}, async () => {
  await sharded();
  mend();
  const first = runs()[0]?.run ?? "";
  for (const [index, asked] of ["test[3]", "test[3]/shard", "shard[3]"].entries()) {
    const again = await said(house.troupe(["rerun", first, "--from", asked, "--trust", "--output", "full"]));
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toContain(`Run ${first} again from "test[3]"; taken over: build; 10 of 12 rounds taken over`);
    expect(runs()[index + 1]?.payload.rerun).toMatchObject({ from: "test", round: "test[3]" });
    expect(steps(runs()[index + 1]?.run ?? "", "step.started").sort()).toEqual(
      ["test", "test/2.shard", "test/6.shard", "gate"].sort(),
    );
  }
  expect(lines(`${trace}.all`)).toHaveLength(12);
  // A rerun of the last one, whose rounds are all good now: what it had taken over is taken over again.
  const single = await said(house.troupe(["rerun", "@last", "--from", "test[7]", "--trust"]));
  expect(single).toMatchObject({ code: 0 });
  expect(steps(runs()[4]?.run ?? "", "step.started")).toEqual(["test", "test/6.shard", "gate"]);
  expect(lines(`${trace}.all`)).toHaveLength(12);
  const all = await said(house.troupe(["rerun", first, "--from", "shard", "--trust"]));
  expect(all.err).toContain(`"shard" names 12 rounds (test[1], test[2], …): name one, as --from 'test[1]'`);
});

test("a loop in order continues with the round that failed, or begins with a named one (R1, R3)", {
  timeout: 90_000,
}, async () => {
  const began = (file: string): string[] => lines(file).filter((line) => line !== "");
  const first = await said(house.troupe(["run", "rounds", "--trust", "-i", `trace=${trace}`]));
  expect(first).toMatchObject({ code: 3 });
  expect(began(trace)).toEqual(["look a.ts", "look b.ts", "look c.ts"]);
  mend();
  writeFileSync(trace, "");
  const failed = await said(house.troupe(["rerun", "@last", "--failed", "--trust", "--output", "full"]));
  expect(failed).toMatchObject({ code: 0, err: "" });
  expect(failed.out).toContain('again from "each"; 2 of 4 rounds taken over');
  const fanned = ["check x.ts", "check y.ts", "check z.ts"];
  const asks = ["ask 1", "ask 2", "ask 3"];
  expect(began(trace).slice(0, 2)).toEqual(["look c.ts", "look d.ts"]);
  expect(began(trace).slice(2).sort()).toEqual([...asks, ...fanned]);
  const again = async (from: string): Promise<string[]> => {
    writeFileSync(trace, "");
    expect(await said(house.troupe(["rerun", "@last", "--from", from, "--trust"]))).toMatchObject({ code: 0 });
    return began(trace).sort();
  };
  expect(await again("each[d.ts]")).toEqual([...asks, ...fanned, "look d.ts"]);
  expect(await again("fan[y.ts]")).toEqual([...asks, "check y.ts"]);
  // Results that nothing reads are not kept: the earlier run knows its rounds by name, and this one those it took over.
  expect(await again("fan[y.ts]")).toEqual([...asks, "check y.ts"]);
  expect(await again("poll[2]")).toEqual(["ask 2", "ask 3"]);
  const nowhere = await said(house.troupe(["rerun", "@last", "--from", "each[d.ts]", "--trust"]));
  expect(nowhere).toMatchObject({ code: 1 });
  expect(nowhere.err).toContain('has not come to a step "each[d.ts]"');
});

test("over ACP /rerun repeats the session's last run; the library can repeat any (R1)", async () => {
  const troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
  try {
    const session = await troupe.session({ cwd: house.cwd });
    const say = async (text: string, ...more: PromptBlock[]) => {
      const { turn } = await session.prompt({ blocks: [{ type: "text", text }, ...more], consent: "yes" });
      await session.ended();
      return session.rows(0, 1_000).find((row) => row.type === "turn.completed" && row.payload.turn === turn)?.payload;
    };
    expect(await say("/rerun failed")).toMatchObject({ error: { code: "USER.RUN.NOT_RERUNNABLE" } });
    await say(`/sharded trace=${trace}`);
    mend();
    const link = { type: "resource_link", uri: "file:///a.md", name: "a.md" } as const;
    const unknown = expect.stringContaining('/rerun knows no "[a.md](file:///a.md)"');
    expect(await say("/rerun ", link)).toMatchObject({ error: { message: unknown } });
    expect(await say("/rerun fialed")).toMatchObject({ error: { code: "USER.INPUT.INVALID_FORMAT" } });
    await say("/rerun failed");
    const rows = session.rows(0, 1_000).filter((row) => row.type === "run.started");
    expect(rows.map(({ payload }) => payload.rerun?.rounds)).toEqual([undefined, { taken: 11, of: 12 }]);
    const again = await troupe.rerun(rows[1]?.run ?? "", { from: "gate", consent: "yes" });
    expect((await again.done).outcome).toMatchObject({ status: "completed" });
    expect(again.session.id).toBe(session.id);
    await expect(troupe.rerun("nobody", { consent: "yes" })).rejects.toMatchObject({ code: "USER.RUN.NOT_FOUND" });
  } finally {
    await troupe.close();
  }
});

test("a cancelled run runs again, except for the rounds that had ended (R1)", async () => {
  const troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
  mend();
  writeFileSync(`${trace}.held`, "");
  const completed = (...runs: string[]) =>
    runs.flatMap(inRun).flatMap((row) => {
      const isShard =
        row.type === "step.completed" && row.payload.status === "completed" && row.step?.startsWith("test/");
      return isShard ? [row.step ?? ""] : [];
    });
  try {
    const run = await troupe.run({ workflow: "sharded", inputs: { trace }, consent: "yes", cwd: house.cwd });
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    run.session.log$().subscribe((frames) => {
      for (const frame of frames) if (frame.type === "step.completed" && frame.step === "test/3.shard") resolve();
    });
    await reached;
    await run.cancel();
    expect((await run.done).outcome).toMatchObject({ status: "cancelled" });
    expect(completed(run.id)).not.toContain("test/11.shard");
    rmSync(`${trace}.held`);
    const again = await troupe.rerun(run.id, { failed: true, consent: "yes" });
    expect((await again.done).outcome).toMatchObject({ status: "completed" });
    const shards = Array.from({ length: 12 }, (_, index) => `test/${index}.shard`);
    expect(completed(run.id, again.id).sort()).toEqual(shards.sort());
    expect(lines(`${trace}.all`)).toHaveLength(12);
  } finally {
    await troupe.close();
  }
});
