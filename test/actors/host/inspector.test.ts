import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Inspection } from "../../../actors/host/interpret.ts";
import { ACCEPTED, EmbeddedStage, rest, until, words } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { databaseOf } from "../../support/sql.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;
const _row = (message: string) => ({ type: "notice", payload: { severity: "info", message } }) as const;

let stage: EmbeddedStage;
beforeEach(() => {
  stage = new EmbeddedStage();
});
afterEach(() => stage.close());

describe("inspection", () => {
  const heard = (events: Inspection[]) =>
    events.map(({ type, actorRef, event }) => [type.slice(8), actorRef.id, ...(event ? [event.type] : [])]);

  test("an inspector sees actors, events and snapshots of durable machines, after the commit", async () => {
    const events: Inspection[] = [];
    const committed = () => Number(new DatabaseSync(stage.file).prepare("select count(*) as n from actor").get()!["n"]);
    let atFirst: number | undefined;
    const { host, jobs } = stage.enter({
      inspect: (event) => {
        atFirst ??= committed();
        events.push(event);
      },
    });
    await host.create(S, BIRTH);
    await host.send(S, { type: "child.asked", label: "a" } as never);
    const { key } = (await jobs.started(0)).context;
    jobs.all[0]!.done("x");
    await until(() => words(host, S).length === 2);
    await rest();
    expect(atFirst).toBe(1);
    expect(heard(events)).toEqual([
      ["actor", S],
      ["event", S, "xstate.init"],
      ["snapshot", S],
      ["event", S, "child.asked"],
      ["snapshot", S],
      ["actor", key],
      ["event", key, "xstate.init"],
      ["snapshot", key],
      ["event", key, "xstate.done.actor.job"],
      ["snapshot", key],
      ["event", S, "xstate.done.actor.child"],
      ["snapshot", S],
    ]);
    expect(events.every(({ rootId }) => rootId === S)).toBe(true);
    const snapshots = events.filter(({ type }) => type === "@xstate.snapshot").map(({ snapshot }) => snapshot!.value);
    expect(snapshots).toEqual(["idle", "idle", "working", "ended", "idle"]);
  });

  test("an inspector that throws changes nothing", async () => {
    const { host } = stage.enter({
      inspect: () => {
        throw new Error("a viewer's bug");
      },
    });
    await host.create(S, BIRTH);
    expect(await host.send(S, note("fine"))).toEqual(ACCEPTED);
  });

  test("what a tick undid is not seen", async () => {
    const events: Inspection[] = [];
    const { host } = stage.enter({ inspect: (event) => events.push(event) });
    await host.create(S, BIRTH);
    await rest();
    events.length = 0;
    databaseOf(host.store).exec("pragma max_page_count=1");
    await Promise.allSettled([host.send(S, note("x".repeat(100_000)))]);
    databaseOf(host.store).exec("pragma max_page_count=1000000");
    await host.send(S, note("seen"));
    await rest();
    expect(heard(events)).toEqual([
      ["event", S, "note.taken"],
      ["snapshot", S],
    ]);
  });
});
