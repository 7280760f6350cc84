/** Covers `engine-attachments.ts`, `pieces-service.ts`, over an object of the engine's own that is kept in memory. */
import { beforeEach, expect, test } from "vitest";
import { EngineAttachments } from "../../../../actors/host/restate/engine-attachments.ts";
import { pieceChanges, pieceReads } from "../../../../actors/host/restate/pieces-service.ts";
import type { PartOf, Sealing } from "../../../../actors/host/restate/protocol.ts";
import type { Key } from "../../../../machines/model.ts";
import { sessionKey } from "../../../support/host-machines.ts";

const MIB = 1024 * 1024;
const S = sessionKey("s");
const picture = (digit: string, bytes: number) =>
  ({ type: "image", id: digit.repeat(32), mimeType: "image/png", data: Buffer.alloc(bytes, digit) }) as const;
const naming = (...digits: string[]): string =>
  digits.map((digit) => `[image](attachment:${digit.repeat(32)})`).join(" ");

/** What the engine keeps, by session. */
let objects: Map<Key, Map<string, unknown>>;
let asked: string[];
beforeEach(() => {
  objects = new Map();
  asked = [];
});
const contextOf = (session: Key) => {
  const state = objects.get(session) ?? new Map<string, unknown>();
  objects.set(session, state);
  return {
    get: async (name: string) => state.get(name) ?? null,
    set: (name: string, value: unknown) => void state.set(name, value),
    clear: (name: string) => void state.delete(name),
    clearAll: () => state.clear(),
  } as never;
};
const worker = (most = 128 * MIB) =>
  new EngineAttachments(
    {
      pieces: async (session: Key) => {
        asked.push("pieces");
        return await pieceReads.pieces(contextOf(session));
      },
      part: async (session: Key, part: Pick<PartOf, "id" | "n">) => {
        asked.push(`${part.id[0]}${part.n}`);
        return await pieceReads.part(contextOf(session), part);
      },
      putPart: async (session: Key, part: PartOf) => await pieceChanges.put(contextOf(session), part),
      seal: async (session: Key, sealing: Sealing) => await pieceChanges.seal(contextOf(session), sealing),
    },
    most,
  );

test("what was kept at one process is at another, byte by byte, once its work begins, and asked for once", async () => {
  const [large, small] = [picture("a", 2 * MIB), picture("b", 10)];
  expect(await worker().keep(S, [large, small], 4 * MIB)).toBe(true);
  const other = worker();
  expect(other.read(S, large.id)).toBeUndefined();
  await other.bring(S, naming("a"));
  expect([other.read(S, large.id), other.read(S, small.id)]).toEqual([large, small]);
  expect(asked).toEqual(["pieces", "a0", "a1", "a2", "b0"]);
  await other.bring(S, naming("b", "a"));
  await other.bring(S, "no picture");
  expect(asked).toHaveLength(5);
  expect(other.read(sessionKey("t"), large.id)).toBeUndefined();
});

test("a piece that came later is brought where an input names it, and nothing is brought twice", async () => {
  const near = worker();
  await worker().keep(S, [picture("a", 10)], MIB);
  await near.bring(S, naming("a"));
  await worker().keep(S, [picture("c", 10)], MIB);
  await near.bring(S, naming("a", "c"));
  expect(near.read(S, "c".repeat(32))?.data.length).toBe(10);
  expect(asked).toEqual(["pieces", "a0", "pieces", "c0"]);
});

test("all pieces of a prompt are kept or none, and of those that are not nothing stays (I1, I2)", async () => {
  expect(await worker().keep(S, [], 0)).toBe(true);
  expect(await worker().keep(S, [picture("a", MIB)], MIB)).toBe(true);
  const before = [...(objects.get(S) ?? [])];
  expect(await worker().keep(S, [picture("a", MIB), picture("b", 1)], MIB)).toBe(false);
  expect([...(objects.get(S) ?? [])]).toEqual(before);
  expect(await worker().keep(S, [picture("a", MIB)], MIB)).toBe(true); // it is there already
  await pieceChanges.forget(contextOf(S));
  expect(await pieceReads.pieces(contextOf(S))).toEqual([]);
  expect(await pieceReads.part(contextOf(S), { id: "a".repeat(32), n: 0 })).toBe("");
});

test("sessions for which work began longest ago are let go first, never the one that works (I2)", async () => {
  const [one, two, three] = ["one", "two", "three"].map(sessionKey) as [Key, Key, Key];
  const near = worker(128);
  for (const session of [one, two]) {
    await worker().keep(session, [picture("a", 60)], 200);
    await near.bring(session, naming("a"));
  }
  await near.bring(one, naming("a")); // used again: `two` is the older one now
  await worker().keep(three, [picture("a", 140)], 200);
  await near.bring(three, naming("a"));
  expect([one, two, three].map((session) => near.read(session, "a".repeat(32))?.data.length)).toEqual([
    undefined,
    undefined,
    140,
  ]);
  await near.bring(one, naming("a"));
  expect([one, three].map((session) => near.read(session, "a".repeat(32)) !== undefined)).toEqual([true, false]);
});
