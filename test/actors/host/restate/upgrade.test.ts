/** Covers `versions.ts`, `services.ts`: workers of two versions side by side: sessions go on, each event by a worker that knows what its session is. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionCell } from "../../../../actors/host/restate/session-cell.ts";
import { EngineStage, type Entered } from "../../../support/engine-stage.ts";
import { ACCEPTED, rest, until, words } from "../../../support/host.ts";
import { BIRTH, MACHINES, newer, sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;
const LATER = newer(MACHINES);
let stage: EngineStage;
let old: Entered;
beforeEach(async () => {
  stage = new EngineStage();
  old = stage.enter();
  await old.host.create(S, BIRTH);
});
afterEach(() => stage.close());
const seqs = ({ host }: Entered) => host.rows(S, 0, 99).map(({ seq }) => seq);

test("runs in flight go on with a newer worker: work of the old one reports, what was stored is upcast", async () => {
  await old.host.send(S, { type: "work.asked", label: "a" } as never);
  const job = await old.jobs.started(0);
  const later = stage.enter({ machines: LATER });
  await later.host.send(S, note("both are there"));
  await old.leave(); // the engine lets go what it does there; it still runs
  expect(await later.host.send(S, note("taken"))).toEqual(ACCEPTED);
  job.done("ok");
  await until(() => words(later.host, S).some((word) => word.startsWith("job ")));
  expect(words(later.host, S).slice(-2)).toEqual(["taken (later, upcast)", "job failed: INTERRUPTED (later, upcast)"]);
  expect(later.host.read(S)).toMatchObject({ v: "session.v10" });
});

test("what a newer worker has written waits where an older one meets it, is left as it is, and then goes on", async () => {
  const later = stage.enter({ machines: LATER });
  await old.leave();
  await later.host.send(S, note("first"));
  await later.leave();
  await old.back();
  const waiting = later.host.send(S, note("waits"));
  await until(() => old.said.some((line) => line.includes("SYSTEM.ENGINE.NEWER")));
  await rest();
  expect(words(old.host, S)).toEqual(["born", "first (later, upcast)"]);
  await old.leave();
  await later.back();
  expect(await waiting).toEqual(ACCEPTED);
  expect(words(later.host, S)).toEqual(["born", "first (later, upcast)", "waits (later, upcast)"]);
  expect(seqs(later)).toEqual([1, 2, 3]);
});

test("work that a newer machine has started waits for a newer worker, and begins there once", async () => {
  const started = (one: SessionCell): SessionCell => {
    const take = one.take.bind(one);
    one.take = (post) => {
      const outcome = take(post);
      return { ...outcome, starts: outcome.starts.map((start) => ({ ...start, v: "session.v10" })) };
    };
    return one;
  };
  await old.leave();
  const between = stage.enter({ cell: started });
  await between.host.send(S, { type: "work.asked", label: "b" } as never);
  await until(() => between.said.some((line) => line.includes("SYSTEM.ENGINE.NEWER")));
  await between.leave();
  const later = stage.enter({ machines: LATER });
  (await later.jobs.started(0)).done("ok");
  await until(() => words(later.host, S).includes("job done: ok (later, upcast)"));
  expect([later.jobs.labels, between.jobs.labels, old.jobs.labels]).toEqual([["b"], [], []]);
});
