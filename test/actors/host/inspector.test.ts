import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMachine } from "xstate";
import { Masking } from "../../../actors/masking/masking.ts";
import type { Inspection } from "../../../machines/inspection.ts";
import { ACCEPTED, EmbeddedStage, rest, until, words } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { databaseOf } from "../../support/sql.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;

let stage: EmbeddedStage;
beforeEach(() => {
  stage = new EmbeddedStage();
});
afterEach(() => stage.close());

/** What kind of thing, of which actor; of an event also what, and who has sent it. */
const heard = (seen: Inspection[]) =>
  seen.map((one) => [
    one.type.slice(8),
    one.actorRef.id,
    ...(one.type === "@xstate.event" ? [one.eventType, one.sourceId] : []),
  ]);
const snapshots = (seen: Inspection[]) =>
  seen.flatMap((one) => (one.type === "@xstate.snapshot" ? [JSON.parse(one.snapshot())] : []));

describe("inspection", () => {
  test("I1: an inspector sees actors, events and snapshots of durable machines, after the commit", async () => {
    const seen: Inspection[] = [];
    const committed = () => Number(new DatabaseSync(stage.file).prepare("select count(*) as n from actor").get()!["n"]);
    let atFirst: number | undefined;
    const { host, jobs } = stage.enter({
      inspect: (one) => {
        atFirst ??= committed();
        seen.push(one);
      },
    });
    await host.create(S, BIRTH);
    await host.send(S, { type: "child.asked", label: "a" } as never);
    const { key } = (await jobs.started(0)).context;
    jobs.all[0]!.done("x");
    await until(() => words(host, S).length === 2);
    await rest();
    expect(atFirst).toBe(1);
    expect(heard(seen)).toEqual([
      ["actor", S],
      ["event", S, "xstate.init", null],
      ["snapshot", S],
      ["event", S, "child.asked", null],
      ["snapshot", S],
      ["actor", key],
      ["event", key, "xstate.init", S],
      ["snapshot", key],
      ["event", key, "xstate.done.actor.job", null],
      ["snapshot", key],
      ["event", S, "xstate.done.actor.child", key],
      ["snapshot", S],
    ]);
    expect(seen.every(({ rootId }) => rootId === S)).toBe(true);
    expect(snapshots(seen).map(({ value }) => value)).toEqual(["idle", "idle", "working", "ended", "idle"]);
    expect(seen.flatMap((one) => (one.type === "@xstate.actor" ? [one.parentId] : []))).toEqual([null, S]);
  });

  test("an actor brings its chart and its birth, which no snapshot repeats; an event brings its payload", async () => {
    const seen: Inspection[] = [];
    const { host } = stage.enter({ inspect: (one) => seen.push(one) });
    await host.create(S, BIRTH);
    await host.send(S, note("fine"));
    const [born] = seen;
    if (born?.type !== "@xstate.actor") throw new Error("no birth");
    const chart = createMachine(JSON.parse(born.definition()));
    expect(Object.keys(chart.states)).toContain("idle");
    expect(JSON.parse(born.snapshot())).toMatchObject({ value: "idle", status: "active", context: { birth: BIRTH } });
    expect(snapshots(seen).map(({ context }) => "birth" in context)).toEqual([false, false]);
    const events = seen.flatMap((one) => (one.type === "@xstate.event" ? [JSON.parse(one.event())] : []));
    expect(events.at(-1)).toEqual({ type: "note.taken", text: "fine" });
  });

  test("I3: what is secret is stars in it, also what became known afterwards", async () => {
    const seen: Inspection[] = [];
    const mask = new Masking([["key", "correct-horse-battery"]]);
    const { host } = stage.enter({ mask, inspect: (one) => seen.push(one) });
    await host.create(S, BIRTH);
    await host.send(S, note("it is correct-horse-battery, and later-learned-secret"));
    mask.learn("other", "later-learned-secret");
    const last = seen.at(-1);
    if (last?.type !== "@xstate.snapshot") throw new Error("no snapshot");
    expect(JSON.parse(last.event())).toEqual({ type: "note.taken", text: "it is ***, and ***" });
    const all = seen.map((one) => ("snapshot" in one ? one.snapshot() : one.event())).join("");
    expect(all).not.toMatch(/correct-horse|later-learned/);
  });

  test("I2: an inspector that throws changes nothing", async () => {
    const { host } = stage.enter({
      inspect: () => {
        throw new Error("a viewer's bug");
      },
    });
    await host.create(S, BIRTH);
    expect(await host.send(S, note("fine"))).toEqual(ACCEPTED);
  });

  test("I1: what a tick undid is not seen", async () => {
    const seen: Inspection[] = [];
    const { host } = stage.enter({ inspect: (one) => seen.push(one) });
    await host.create(S, BIRTH);
    await rest();
    seen.length = 0;
    databaseOf(host.store).exec("pragma max_page_count=1");
    await Promise.allSettled([host.send(S, note("x".repeat(100_000)))]);
    databaseOf(host.store).exec("pragma max_page_count=1000000");
    await host.send(S, note("seen"));
    await rest();
    expect(heard(seen)).toEqual([
      ["event", S, "note.taken", null],
      ["snapshot", S],
    ]);
  });
});
