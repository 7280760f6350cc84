/** Covers `pieces-service.ts`, `engine-attachments.ts`: pictures and sounds of prompts reach whoever works. */
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EngineStage } from "../../../support/engine-stage.ts";
import { until } from "../../../support/host.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
const MIB = 1024 * 1024;
let stage: EngineStage;
beforeEach(() => {
  stage = new EngineStage();
});
afterEach(() => stage.close());

const picture = (digit: string, bytes: number) =>
  ({ type: "image", id: digit.repeat(32), mimeType: "image/png", data: randomBytes(bytes) }) as const;

test("what a prompt brought is kept whole or not at all, and is there, byte by byte, where its work begins", async () => {
  const actors = [stage.enter(), stage.enter()];
  const [one] = actors;
  await one!.host.create(S, BIRTH);
  const [large, small] = [picture("a", 3 * MIB + 1), picture("b", 10)];
  expect(await one!.host.attachments.keep(S, [large, small], 4 * MIB)).toBe(true);
  expect(await one!.host.attachments.keep(S, [picture("c", MIB)], 4 * MIB)).toBe(false); // all, or none
  expect(await one!.host.attachments.keep(S, [large], 4 * MIB)).toBe(true); // it is there already
  await one!.host.send(S, { type: "work.asked", label: `[image](attachment:${large.id})` } as never);
  await until(() => actors.some(({ jobs }) => jobs.all.length > 0));
  const near = actors.find(({ jobs }) => jobs.all.length > 0)!;
  const read = (id: string) => near.host.attachments.read(S, id);
  expect(read(large.id)?.data.equals(large.data)).toBe(true);
  expect([read(small.id), read("c".repeat(32))]).toEqual([small, undefined]);
  expect(near.host.attachments.read(sessionKey("other"), small.id)).toBe(undefined);
});
