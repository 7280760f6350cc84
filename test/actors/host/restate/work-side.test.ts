/** Covers `work-side.ts`, `running-work.ts`: work that this process carries out for an engine. */
import { beforeEach, expect, test } from "vitest";
import type { WorkContext } from "../../../../actors/host/host.ts";
import { Tables } from "../../../../actors/host/memory/tables.ts";
import type { Outcome, Post, WorkStart } from "../../../../actors/host/restate/protocol.ts";
import { putRows } from "../../../../actors/host/restate/rows.ts";
import type { Ended } from "../../../../actors/host/restate/serving-host.ts";
import { WorkSide } from "../../../../actors/host/restate/work-side.ts";
import { Timeouts } from "../../../../actors/host/timeouts.ts";
import { NO_MASKING } from "../../../../actors/masking/masking.ts";
import { KeptSession } from "../../../support/cell.ts";
import { Jobs, speech, TestClock, turn, until } from "../../../support/host.ts";
import { sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
const notice = (message: string) => ({ type: "notice", payload: { severity: "info", message } }) as const;

let kept: KeptSession;
let tables: Tables;
let jobs: Jobs;
let posts: Post[];
let followed: number;
let clock: TestClock;
let side: WorkSide;
let told: object[];
let hasFolder: boolean;
let brought: string[];
/** The session has changed. */
const changed = ({ rows }: Outcome): void => {
  putRows(tables, S, rows);
  side.look(S, rows);
};
beforeEach(() => {
  kept = new KeptSession();
  tables = new Tables();
  jobs = new Jobs();
  posts = [];
  told = [];
  hasFolder = true;
  brought = [];
  followed = 0;
  clock = new TestClock();
  side = new WorkSide({
    self: "this",
    isOffered: () => false,
    environment: {},
    hasFolder: () => hasFolder,
    bring: async (_, input) => void brought.push(input),
    tables,
    replica: {
      reach: async () => undefined,
      follow: () => {
        followed++;
        return () => followed--;
      },
    } as never,
    ingress: {
      deliver: async (_: string, post: Post) => {
        posts.push(post);
        return { delivery: null, fault: null, commit: null };
      },
    },
    mask: NO_MASKING,
    timeouts: new Timeouts(clock),
    now: () => clock.now(),
    work: (src) => (src === "job" ? (jobs.work as never) : undefined),
    tell: async (_, event) => void told.push(event),
  });
  changed(kept.birth());
});
const asked = (): WorkStart => {
  const outcome = kept.send({ type: "work.asked", label: "a" });
  changed(outcome);
  return outcome.starts[0]!;
};
const words = (rows: readonly { row: string }[]): string[] =>
  rows.map(({ row }) => {
    const { payload } = JSON.parse(row) as { payload: { message?: string; text?: string } };
    return payload.message ?? payload.text ?? "";
  });
const recorded = (): string[] => posts.flatMap((post) => (post.is === "work" ? words(post.rows) : []));
const begun = async (ended = new AbortController().signal) => {
  const start = asked();
  const carried = side.carry(start, ended);
  carried.catch(() => undefined);
  return { start, carried, job: await jobs.started(0) };
};

test("rows reach the session in order, the last of them with the result (running-work I1)", async () => {
  const { carried, job, start } = await begun();
  expect(brought).toEqual([start.input]); // what its prompt names is here before it begins
  job.context.record(notice("one"));
  job.context.text(speech("b")).say("text");
  job.context.record(notice("two"));
  await until(() => recorded().length === 3);
  expect(recorded()).toEqual(["one", "text", "two"]);
  job.context.text(speech("c")).say("last words");
  await job.context.tell({ type: "work.noted" });
  expect([recorded(), told]).toEqual([["one", "text", "two"], [{ type: "work.noted" }]]);
  job.done("ok");
  const result = (await carried) as Ended;
  expect([words(result.rows), JSON.parse(result.event)]).toEqual([
    ["last words"],
    { type: "xstate.done.actor.job", output: "ok", actorId: "job" },
  ]);
  expect(followed).toBe(1);
  side.carried(start);
  expect(followed).toBe(0);
});

test("a second call joins work that runs here, also when that has ended (I1)", async () => {
  const { start, carried, job } = await begun();
  const joined = side.carry(start, new AbortController().signal);
  job.done("ok");
  const [one, two] = [await carried, await joined];
  expect([one === two, await side.carry(start, new AbortController().signal), jobs.all.length]).toEqual([true, one, 1]);
});

test("work whose call was let go, and which nobody joins, is aborted (I2)", async () => {
  const first = new AbortController();
  const { start, carried, job } = await begun(first.signal);
  first.abort();
  const second = new AbortController();
  const joined = side.carry(start, second.signal);
  clock.advance(5_000);
  await turn();
  expect(job.context.signal.aborted).toBe(false);
  second.abort();
  clock.advance(5_000);
  expect([job.context.signal.aborted, await carried, await joined, followed]).toEqual([true, null, null, 0]);
  const again = (await side.carry(start, new AbortController().signal)) as Ended;
  expect([again, jobs.all.length]).toEqual([{ ...again, wasCutOff: true, rows: [] }, 1]);
  expect(JSON.parse(again.event)).toMatchObject({ type: "xstate.error.actor.job", error: { code: "INTERRUPTED" } });
});

test("what the machine says is heard once, in order (running-work I2)", async () => {
  const start = (() => {
    const outcome = kept.send({ type: "work.forked" });
    changed(outcome);
    return outcome.starts[0]!;
  })();
  const carried = side.carry(start, new AbortController().signal);
  const job = await jobs.started(0);
  let aborts = 0;
  job.context.signal.addEventListener("abort", () => aborts++);
  const outcome = kept.send({ type: "cancel.requested" });
  changed(outcome);
  side.look(S, outcome.rows);
  expect(aborts).toBe(1);
  expect(JSON.parse(((await carried) as Ended).event)).toMatchObject({ type: "xstate.error.actor.left" });
});

test("work that is no longer waited for is aborted and says nothing more (running-work I3)", async () => {
  const { carried, job } = await begun();
  changed(kept.send({ type: "work.dropped" }));
  expect(await carried).toBeNull();
  const { context } = job as { context: WorkContext };
  context.record(notice("late"));
  context.text(speech("b")).say("late");
  await turn();
  expect([context.signal.aborted, recorded()]).toEqual([true, []]);
});

test("work that is not waited for any more when it is called is not begun", async () => {
  const start = asked();
  changed(kept.send({ type: "work.dropped" }));
  expect([await side.carry(start, new AbortController().signal), jobs.all]).toEqual([null, []]);
});

test("a worker that stops sends what was said, and lets others say that it was cut off", async () => {
  const { start, carried, job } = await begun();
  job.context.text(speech("b")).say("last words");
  await side.stop();
  expect([recorded(), job.context.signal.aborted]).toEqual([["last words"], true]);
  await expect(carried).rejects.toThrow("stopped");
  await expect(side.carry(start, new AbortController().signal)).rejects.toThrow("stopped");
});

test("work in a folder that is not here is not begun, and its session says so (I4)", async () => {
  const start = asked();
  expect(await side.begins(start)).toBe("this");
  hasFolder = false;
  await expect(side.begins(start)).rejects.toMatchObject({ code: "SYSTEM.ENGINE.NO_WORKER" });
  const { key, id, nonce } = start;
  const words = "a worker has no /: this goes on when one comes that has it";
  expect(posts).toEqual([{ is: "waits", which: { key, id, nonce }, words }]);
});

test("what the machine has said before its work begins here is heard then (I5)", async () => {
  const outcome = kept.send({ type: "work.forked" });
  changed(outcome);
  const start = outcome.starts[0]!;
  changed(kept.send({ type: "cancel.requested" }));
  const carried = side.carry(start, new AbortController().signal);
  const job = await jobs.started(0);
  expect(job.context.signal.aborted).toBe(true);
  expect(JSON.parse(((await carried) as Ended).event)).toMatchObject({ type: "xstate.error.actor.left" });
});

test("work whose call was let go before it begins is not begun (I2)", async () => {
  await expect(side.carry(asked(), AbortSignal.abort())).rejects.toThrow("let this call go");
  expect(jobs.all).toEqual([]);
});

test("work that was cut off does not begin again, however often the engine calls (I2)", async () => {
  const call = new AbortController();
  const { start } = await begun(call.signal);
  call.abort();
  clock.advance(5_000);
  for (let n = 0; n < 2; n++)
    expect(await side.carry(start, new AbortController().signal)).toMatchObject({ wasCutOff: true });
  expect(jobs.all).toHaveLength(1);
});

test("work that has ended tells its machine nothing more (running-work I3)", async () => {
  const { carried, job } = await begun();
  job.done("ok");
  await carried;
  await job.context.tell({ type: "work.noted" });
  expect(told).toEqual([]);
});
