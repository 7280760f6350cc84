/** Covers `taking.ts`, `given-up.ts`: a worker whose own code breaks, and one that has other cells than the one before. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Post } from "../../../../actors/host/restate/protocol.ts";
import type { SessionCell } from "../../../../actors/host/restate/session-cell.ts";
import { TRIES } from "../../../../actors/host/restate/taking.ts";
import { EngineStage } from "../../../support/engine-stage.ts";
import { ACCEPTED, until, words } from "../../../support/host.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;
let stage: EngineStage;
beforeEach(() => {
  stage = new EngineStage();
});
afterEach(() => stage.close());

/** A worker that breaks on posts of some kind; `tries` counts how often it has. */
const breaking = (breaks: (post: Post) => boolean) => {
  const seen = { tries: 0 };
  const cell = (one: SessionCell): SessionCell => {
    const take = one.take.bind(one);
    one.take = (post) => {
      if (!breaks(post)) return take(post);
      seen.tries++;
      throw new Error("a host broke");
    };
    return one;
  };
  return Object.assign(seen, { worker: stage.enter({ cell }) });
};
/** It ends, as far as the engine sees, when an event that says so was taken and nothing of it is written. */
const ending = (one: SessionCell): SessionCell => {
  const take = one.take.bind(one);
  const end = (): never => {
    Reflect.deleteProperty(one, "version");
    throw new Error("the process ended");
  };
  one.take = (post) => {
    const outcome = take(post);
    if (post.is === "mail" && post.event.includes("then ends"))
      Object.defineProperty(one, "version", { get: end, configurable: true });
    return outcome;
  };
  return one;
};
const rowsOf = (host: Parameters<typeof words>[0]) => host.rows(S, 0, 99).map(({ seq, at }) => [seq, at]);

test("an event on which a worker breaks is given up after five tries, with a row; the next one is taken (I4)", async () => {
  const broken = breaking((post) => post.is === "mail" && post.event.includes("poison"));
  const { host } = broken.worker;
  await host.create(S, BIRTH);
  await expect(host.send(S, note("poison"))).rejects.toMatchObject({ code: "SYSTEM.ENGINE.EVENT_FAILED" });
  expect(broken.tries).toBe(TRIES + 1); // once by the cell that was at hand
  expect(await host.send(S, note("next"))).toEqual(ACCEPTED);
  const said = "note.taken for session/s could not be taken, and was given up: a host broke";
  expect(words(host, S)).toEqual(["born", said, "next"]);
  expect(host.rows(S, 1, 1)).toMatchObject([
    { payload: { severity: "error", code: "SYSTEM.ENGINE.EVENT_FAILED", message: said } },
  ]);
  expect(rowsOf(host).map(([seq]) => seq)).toEqual([1, 2, 3]);
});

test("a result on which a worker breaks is a failure of its work, which the machine hears", async () => {
  const { worker } = breaking((post) => post.is === "work" && (post.event ?? "").includes("poison"));
  const { host, jobs } = worker;
  await host.create(S, BIRTH);
  await host.send(S, { type: "work.asked", label: "a" } as never);
  (await jobs.started(0)).done("poison");
  await until(() => words(host, S).includes("job failed: SYSTEM.ENGINE.EVENT_FAILED"));
  expect(words(host, S)).toEqual([
    "born",
    "what job of session/s has said could not be taken, and was given up: a host broke",
    "job failed: SYSTEM.ENGINE.EVENT_FAILED",
  ]);
  expect(await host.send(S, note("next"))).toEqual(ACCEPTED);
});

test("a timer on which a worker breaks is gone, and can be set again", async () => {
  let isBroken = true;
  const { host } = breaking((post) => post.is === "due" && isBroken).worker;
  await host.create(S, BIRTH);
  await host.send(S, { type: "alarm.set", ms: 20 } as never);
  await stage.passes(20);
  await until(() => words(host, S).length === 2);
  expect(words(host, S)[1]).toMatch("a timer of session/s could not be taken");
  isBroken = false;
  await host.send(S, { type: "alarm.set", ms: 20 } as never);
  await stage.passes(20);
  await until(() => words(host, S).includes("rang"));
});

test("a birth on which a worker breaks makes no session, and says why", async () => {
  const { host } = breaking((post) => post.is === "birth").worker;
  await expect(host.create(S, BIRTH)).rejects.toThrow("a new session could not be taken");
  expect(host.sessions.find(S)).toBeUndefined();
});

test("who retries an event has other cells in memory, and goes on where the journal stands (I1)", async () => {
  const { host } = stage.enter({ cell: ending });
  await host.create(S, BIRTH);
  await host.send(S, note("by a cell at hand, then ends"));
  await host.send(S, note("next"));
  expect(words(host, S)).toEqual(["born", "by a cell at hand, then ends", "next"]);
});
