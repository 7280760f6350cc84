/** Real processes over one store: killed without warning, raced, followed. Nothing here waits for a time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Delivery } from "../../../actors/host/host.ts";
import { ACCEPTED, refusal, wordsOf } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { HostProcess, type Options } from "../../support/host-process.ts";

const S = sessionKey("s");
const note = (text: string) => ({ do: "send", key: S, event: { type: "note.taken", text } as never }) as const;
const event = (type: string, more: object = {}) => ({ do: "send", key: S, event: { type, ...more } as never }) as const;

let folder: string;
let running: HostProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-hosts-"));
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((process) => process.kill()));
  rmSync(folder, { recursive: true, force: true });
});
const up = async (options: Options = {}): Promise<HostProcess> => {
  const process = await HostProcess.up(join(folder, "troupe.db"), options);
  running.push(process);
  return process;
};
const words = async (process: HostProcess) => {
  const rows = await process.rows(S);
  expect(rows.map((row) => row.seq)).toEqual(rows.map((_, i) => i + 1)); // without gaps, always
  return wordsOf(rows);
};

test("parked, killed, answered by another process", async () => {
  const first = await up();
  await first.ask({ do: "create", key: S });
  await first.ask(note("parked"));
  await first.kill();
  const second = await up();
  expect(await second.ask(note("answered"))).toEqual(ACCEPTED);
  expect(await words(second)).toEqual(["born", "parked", "answered"]);
  expect(BIRTH.principal).toBe("tester");
});

test("a live owner is respected, a killed one replaced; its work is reported once and its timer rings", async () => {
  const [first, second] = await Promise.all([up(), up({ aheadMs: 7_200_000 })]);
  await first.ask({ do: "create", key: S });
  await first.ask(event("alarm.set", { ms: 3_600_000 }));
  await first.ask(event("work.forked"));
  await first.until(() => first.started.length === 2);
  expect(await second.ask(note("no"))).toEqual(refusal("owned"));
  await first.kill();
  await second.ask({ do: "follow", key: S });
  await second.until(() => second.frames.length > 0);
  expect(await words(second)).toEqual(["born"]); // nothing before an event demands it
  expect(await second.ask(note("yes"))).toEqual(ACCEPTED);
  await second.until(() => wordsOf(second.frames).includes("rang"));
  expect(await words(second)).toEqual([
    "born",
    "owner lost",
    "left failed: INTERRUPTED",
    "right failed: INTERRUPTED",
    "yes",
    "rang",
  ]);
});

test("exactly one of two racing processes takes a killed owner's session", async () => {
  const first = await up();
  await first.ask({ do: "create", key: S });
  await first.ask(event("retry.asked"));
  await first.until(() => first.started.length === 1);
  const racers = await Promise.all([up(), up()]);
  await first.kill();
  const answers = await Promise.all(racers.map((racer, i) => racer.ask<Delivery>(note(`racer ${i}`))));
  expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
  expect(answers).toContainEqual(refusal("owned"));
  const winner = racers[answers.findIndex(({ accepted }) => accepted)]!;
  await winner.until(() => winner.started.length === 1);
  expect(racers.flatMap(({ started }) => started)).toEqual(["attempt 2"]);
  expect((await words(winner)).filter((word) => word === "again after INTERRUPTED")).toHaveLength(1);
});

test.each(["normal", "full"] as const)(
  "a process follows what another writes, woken by its bell (%s)",
  async (durability) => {
    const [first, second] = await Promise.all([up({ durability }), up({ durability })]);
    await first.ask({ do: "create", key: S });
    await first.ask(event("work.asked", { label: "a" }));
    await second.ask({ do: "follow", key: S });
    await second.until(() => second.frames.length === 1);
    for (let i = 0; i < 40; i++) {
      await first.ask({ do: "record", job: 0, message: String(i) });
      await second.until(() => second.frames.length === i + 2); // each one, with nothing after it
    }
    await first.ask({ do: "finish", job: 0, output: "x" });
    await second.until(() => wordsOf(second.frames).includes("job done: x"));
    expect(second.frames).toEqual(await second.rows(S));
    expect(await second.ask(note("free now"))).toEqual(ACCEPTED);
  },
);

test("a stopped host's session is taken over although its process lives", async () => {
  const [first, second] = await Promise.all([up(), up()]);
  await first.ask({ do: "create", key: S });
  await first.ask(event("work.asked", { label: "a" }));
  await first.until(() => first.started.length === 1);
  await first.ask({ do: "stop" });
  expect(await second.ask(note("next"))).toEqual(ACCEPTED);
  expect(await words(second)).toEqual(["born", "owner lost", "job failed: INTERRUPTED", "next"]);
});

describe("killed at a failpoint and opened again: nothing committed is lost, nothing finished is repeated", () => {
  const NAMES = ["commit.before", "commit.inside", "commit.after", "work.before", "work.result"];
  const POINTS = NAMES.flatMap((name) => [1, 2, 3, 5].map((n) => `${name}:${n}`));
  const ROUNDS = 4;

  test.each(POINTS)("%s", async (failpoint) => {
    const first = await up({ failpoint, finish: true });
    const acknowledged: string[] = [];
    let seen: string[] = [];
    try {
      await first.ask({ do: "create", key: S });
      acknowledged.push("born");
      for (let i = 0; i < ROUNDS; i++) {
        await first.ask({ ...note(`note ${i}`), dedupe: `n${i}` });
        acknowledged.push(`note ${i}`);
        await first.ask(event("work.asked", { label: `job ${i}` }));
        await first.until(() => first.started.length > i);
        seen = await words(first);
      }
    } catch {
      // it has ended, as it was told to
    }
    const [, at] = failpoint.split(":");
    if (Number(at) <= ROUNDS) expect(await first.ended).toBe("SIGKILL");
    await first.kill();

    const second = await up({ finish: true });
    const created = await second.ask({ do: "create", key: S }).then(
      () => "anew",
      () => "before",
    );
    if (acknowledged.includes("born")) expect(created).toBe("before");
    const before = await words(second);
    expect(before.slice(0, seen.length)).toEqual(seen); // what was read stays
    for (let i = 0; i < ROUNDS; i++) {
      const again = await second.ask<Delivery>({ ...note(`note ${i}`), dedupe: `n${i}` });
      expect(again).toEqual(ACCEPTED);
    }
    const after = await words(second);
    for (const text of acknowledged) expect(before).toContain(text);
    for (let i = 0; i < ROUNDS; i++) expect(after.filter((word) => word === `note ${i}`)).toHaveLength(1);
    const ends = after.filter((word) => word.startsWith("job "));
    // Every job that was started ended once: by itself, or reported as cut off; only the last can have been.
    expect(ends.slice(0, -1).every((word) => word === "job done: by itself")).toBe(true);
    expect(ends.length).toBeGreaterThanOrEqual(first.started.length);
    expect(ends.length).toBeLessThanOrEqual(first.started.length + 1);
    expect(after.filter((word) => word === "job failed: INTERRUPTED").length).toBeLessThanOrEqual(1);
    expect(second.started).toEqual([]); // and nothing was started again by itself
    await second.ask(event("work.asked", { label: "last" }));
    await second.until(() => second.started.length === 1);
  });
});
