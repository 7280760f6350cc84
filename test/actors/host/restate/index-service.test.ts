/** Covers `index-service.ts`: lists in shards, and the object that knows them, written wherever a try of it ends. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Ingress } from "../../../../actors/host/restate/ingress.ts";
import { servicesOf } from "../../../../actors/host/restate/protocol.ts";
import { EngineStage } from "../../../support/engine-stage.ts";
import type { MemoryEngine } from "../../../support/memory-engine/engine.ts";
import { memoryEngine } from "../../../support/memory-engine/stage.ts";

const DOWN = { list: "runs", order: "down", from: null, until: null, limit: 9 } as const;
let stage: EngineStage;
let engine: MemoryEngine;
let ingress: Ingress;
const open = (): void => {
  stage = new EngineStage(
    memoryEngine((made) => {
      engine = made;
    }),
  );
  stage.enter();
  stage.enter();
  ingress = stage.ingress();
};
beforeEach(open);
afterEach(close);
async function close(): Promise<void> {
  ingress.stop();
  await stage.close();
}
const put = async (shard: string, ...ids: string[]): Promise<void> => {
  const puts = ids.map((id) => ({ list: "runs", id, n: 1, at: { place: id, value: `of ${id}` } }));
  const { index } = servicesOf(stage.name);
  await engine.call({ id: "", service: index, key: shard, handler: "put", body: puts });
};
const idsIn = async (shard: string): Promise<string[]> => (await ingress.page(shard, DOWN)).entries.map(({ id }) => id);

test("a shard is known from its first write on, once; each has what was put into it (I1, I2)", async () => {
  expect((await ingress.shards()).shards).toEqual([]);
  await put("x", "a", "b");
  await put("y", "c");
  await put("x", "d");
  expect((await ingress.shards()).shards).toEqual(["x", "y"]);
  expect([await idsIn("x"), await idsIn("y"), await idsIn("z")]).toEqual([["d", "b", "a"], ["c"], []]);
});

test("the key of cursors is made by who asks first, and stays", async () => {
  const [{ cursorKey }, again] = await Promise.all([ingress.shards(), ingress.shards()]);
  expect(cursorKey).toMatch(/^[0-9a-f]{64}$/);
  expect([again.cursorKey, (await ingress.shards()).cursorKey]).toEqual([cursorKey, cursorKey]);
});

test("wherever a try of a write ends, the next one goes on: nothing is there twice, and no shard is unknown", async () => {
  for (let at = 0; ; at++) {
    open();
    let entries = 0;
    engine.breaks = () => entries++ === at;
    await put("x", "a", "b");
    await put("x", "c");
    const { shards, cursorKey } = await ingress.shards();
    expect([shards, cursorKey.length, await idsIn("x"), engine.failed]).toEqual([["x"], 64, ["c", "b", "a"], []]);
    if (entries <= at) break;
    await close();
  }
});
