/** Covers `moves.ts`, `moving.ts`, `whole-sessions.ts`: sessions go from a store into the engine and back. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { moveIn, moveOut } from "../../../../actors/host/restate/moves.ts";
import { WholeSessions } from "../../../../actors/host/restate/whole-sessions.ts";
import { attachmentsFile } from "../../../../actors/host/sqlite/attachments.ts";
import { conversationsFile } from "../../../../actors/host/sqlite/conversations.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import type { Key } from "../../../../machines/model.ts";
import { EngineStage } from "../../../support/engine-stage.ts";
import { ACCEPTED, EmbeddedStage, log, refusal, words } from "../../../support/host.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";

const [A, B, C] = ["a", "b", "c"].map(sessionKey) as [Key, Key, Key];
const note = (text: string) => ({ type: "note.taken", text }) as never;
let here: EmbeddedStage;
let there: EngineStage;
beforeEach(() => {
  here = new EmbeddedStage();
  there = new EngineStage();
});
afterEach(async () => {
  await there.close();
  await here.close();
});

const using = async <T>(
  move: (moving: Parameters<typeof moveIn>[0]) => Promise<T>,
  failpoint?: (name: string) => void,
) => {
  const store = new Store(here.file, "normal");
  const ingress = there.ingress();
  const conversations = conversationsFile(`${here.folder}/conversations.db`);
  const sessions = new WholeSessions(store, () => true);
  try {
    return await move({
      store: sessions,
      conversations,
      attachments: attachmentsFile(`${here.folder}/attachments.db`),
      ingress,
      now: () => 1_000_000,
      ...(failpoint && { failpoint }),
    });
  } finally {
    ingress.stop();
    store.close();
  }
};
const all = { moved: 0, running: 0, cutOff: 0, differing: 0 };

test("sessions go there and back: each row with its seq and time, what was sent once only, what agents remember", async () => {
  const one = here.enter();
  await one.host.create(A, BIRTH);
  here.clock.advance(5_000);
  await one.host.send(A, note("once"), { dedupe: "d" });
  await one.host.conversations.add(A, "talk", ["hello", "again"]);
  await one.host.create(B, BIRTH);
  await one.host.send(B, { type: "work.asked", label: "x" } as never);
  const before = log(one.host, A);

  const worker = there.enter();
  await worker.served;
  expect(await using(moveIn)).toEqual({ ...all, moved: 1, running: 1 }); // B is owned
  expect(one.host.sessions.find(A)).toBeUndefined();
  const { host } = worker;
  await host.reach(A);
  expect(log(host, A)).toEqual(before);
  expect(await host.conversations.read(A, "talk")).toEqual(["hello", "again"]);
  expect(await host.send(A, note("once"), { dedupe: "d" })).toEqual(ACCEPTED);
  await host.send(A, note("on the engine"));
  expect(words(host, A)).toEqual(["born", "once", "on the engine"]);
  expect(host.rows(A, 0, 9).map(({ seq, at }) => [seq, at])).toEqual([
    [1, 1_000_000],
    [2, 1_005_000],
    [3, 1_005_000],
  ]);

  expect(await using((moving) => moveOut([A], moving))).toEqual({ ...all, moved: 1 });
  await host.reach(A);
  expect(host.sessions.find(A)).toBeUndefined();
  expect(await host.send(A, note("gone"))).toEqual(refusal("unknown"));
  expect(await one.host.send(A, note("once"), { dedupe: "d" })).toEqual(ACCEPTED);
  await one.host.send(A, note("back"));
  expect(words(one.host, A)).toEqual(["born", "once", "on the engine", "back"]);
  expect(await one.host.conversations.read(A, "talk")).toEqual(["hello", "again"]);
});

test("pictures of prompts go there and back, also those that came to be there (I4)", async () => {
  const picture = (digit: string, bytes: number) =>
    ({ type: "image", id: digit.repeat(32), mimeType: "image/png", data: Buffer.alloc(bytes, digit) }) as const;
  const [early, late] = [picture("a", 2 * 1024 * 1024), picture("b", 10)];
  const one = here.enter();
  await one.host.create(A, BIRTH);
  await one.host.attachments.keep(A, [early], early.data.length);
  const { host, served } = there.enter();
  await served;
  expect(await using(moveIn)).toEqual({ ...all, moved: 1 });
  expect(one.host.attachments.read(A, early.id)).toBeUndefined();
  await host.attachments.bring(A, "");
  expect(host.attachments.read(A, early.id)).toEqual(early);

  await host.attachments.keep(A, [late], 3 * 1024 * 1024);
  expect(await using((moving) => moveOut([A], moving))).toEqual({ ...all, moved: 1 });
  expect([early, late].map(({ id }) => one.host.attachments.read(A, id))).toEqual([early, late]);
  expect(await host.attachments.all(A)).toEqual([]);
});

test("a move that was killed between writing and taking out is repeated, and nothing is there twice (I1)", async () => {
  const one = here.enter();
  for (const key of [A, C]) await one.host.create(key, BIRTH);
  const worker = there.enter();
  await worker.served;
  const killed = (): never => {
    throw new Error("killed");
  };
  await expect(using(moveIn, killed)).rejects.toThrow("killed");
  expect(one.host.sessions.find(A)).toBeDefined();
  expect(await using(moveIn)).toEqual({ ...all, moved: 2 });
  await expect(using((moving) => moveOut([A, C], moving), killed)).rejects.toThrow("killed");
  expect(await using((moving) => moveOut([A, C], moving))).toEqual({ ...all, moved: 2 });
  for (const key of [A, C]) expect(words(one.host, key)).toEqual(["born"]);
});

test("a session that went on in both places after a broken move stays in both (I2)", async () => {
  const one = here.enter();
  await one.host.create(A, BIRTH);
  await there.enter().served;
  const killed = (): never => {
    throw new Error("killed");
  };
  await expect(using(moveIn, killed)).rejects.toThrow("killed");
  await one.host.send(A, note("here"));
  expect(await using(moveIn)).toEqual({ ...all, differing: 1 });
  expect(words(one.host, A)).toEqual(["born", "here"]);
});

test("what a move that was killed between two parts has left there goes with the next one (I4 of moving.ts)", async () => {
  await here.enter().host.create(A, BIRTH);
  await there.enter().served;
  const left = `timer ${A} old`;
  const row = JSON.stringify({ key: A, id: "old", due: 1, event: "{}" });
  await using(({ ingress }) => ingress.adopt(A, { n: 0, rows: [[left, row]], log: [], last: null }));
  expect(await using(moveIn)).toEqual({ ...all, moved: 1 });
  const whole = await using(({ ingress }) => ingress.whole(A));
  expect(whole?.rows.map(([name]) => name)).not.toContain(left);
});
