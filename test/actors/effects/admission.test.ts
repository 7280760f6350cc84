/**
 * Steps side by side whose provider limits its users: `actors/effects/admission.ts`, with
 * the scripted model server and time that stands still.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openaiCompatible } from "../../../actors/agents/openai_compatible/openai_compatible.ts";
import { admit } from "../../../actors/effects/admission.ts";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { RateLimits } from "../../../actors/effects/rate-limits.ts";
import { work } from "../../../actors/effects/work.ts";
import type { WorkResult } from "../../../machines/contracts.ts";
import { TestClock, until } from "../../support/host.ts";
import { ModelServer, saidTo } from "../../support/model-server/model-server.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { agentNode, ORIGIN, optionsFor, scopeIn, workspace } from "./support.ts";

let server: ModelServer;
let clock: TestClock;
let options: EffectOptions;
beforeAll(async () => {
  server = await ModelServer.start();
});
beforeEach(async () => {
  await server.reset();
  clock = new TestClock();
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = clock.after(ms, resolve);
      signal?.addEventListener("abort", () => {
        stop();
        reject(signal.reason);
      });
    });
  const after = (ms: number, act: () => void) => clock.after(ms, act);
  const paced = { now: () => clock.now(), elapsed: () => clock.elapsed(), sleep, after };
  options = optionsFor({
    clock: paced,
    agents: { openai_compatible: async () => openaiCompatible(paced) },
    rateLimits: new RateLimits(clock),
    memory: { of: () => memory() },
  });
});
afterAll(() => server.stop());

/** Conversations of one step; each has its own. */
function memory() {
  const kept: unknown[] = [];
  return {
    read: async () => kept as never[],
    add: async (_: string, more: readonly unknown[]) => void kept.push(...more),
  };
}

/** A step as its machine drives it: work, and as long as it is to wait, a wait and work again. */
function step(name: string, given: { [option: string]: string } = {}) {
  const recording = recordingContext();
  const cwd = workspace();
  const origin = { ...ORIGIN, step: name };
  const node = agentNode(`token=${name}`, {
    name,
    provider: "openai_compatible",
    mcpProxy: { enable: true } as never,
    options: { base_url: `${server.url}/v1`, model: "m", ...given },
  });
  const input = { origin, node, scope: scopeIn(cwd), attempt: 1, conversation: null, said: null };
  const notices = () =>
    recording.rows.flatMap((row) =>
      row.type === "notice" ? [row.payload.message.replace(/\d\d:\d\d(:\d\d)?/, "T")] : [],
    );
  const drive = async (): Promise<WorkResult> => {
    const result = await work(options)(input, recording.context);
    if (result.limited !== true) return result;
    await admit(options)({ origin }, recording.context);
    return drive();
  };
  return {
    ended: drive(),
    notices,
    recording,
    waits: () => recording.until(() => notices().some((one) => one.startsWith("waits"))),
  };
}

/** Who has asked, in order. */
const asked = async (): Promise<string[]> =>
  (await server.all()).map((one) => /token=(\w+)/.exec(saidTo(one))?.[1] ?? "");
const TURNED_AWAY = { status: 429, retryAfter: 90 };

describe("steps side by side", () => {
  it("wait for one limit in the order in which they came, and ask nothing meanwhile (I1, I3)", async () => {
    await server.reply(TURNED_AWAY);
    const a = step("a");
    await a.waits();
    const [b, c, d] = [step("b"), step("c"), step("d")];
    for (const one of [b, c, d]) await one.waits();
    expect(a.notices().at(-1)).toBe("waits for openai_compatible until T UTC");
    expect(c.notices()).toEqual(["waits for openai_compatible until T UTC, 2 steps before it"]);
    clock.advance(89_999);
    expect(await asked()).toEqual(["a"]);
    clock.advance(1);
    const ends = await Promise.all([a, b, c, d].map((one) => one.ended));
    expect(ends.map(({ outcome }) => outcome.status)).toEqual(Array(4).fill("completed"));
    const all = await asked();
    // The first alone, then the others at once.
    expect(all.slice(0, 2)).toEqual(["a", "a"]);
    expect(all.slice(2).sort()).toEqual(["b", "c", "d"]);
    expect(clock.waiting).toBe(0);
  });

  it("keep their places when the first is turned away again, and hear of the later time (I3)", async () => {
    await server.reply(TURNED_AWAY, { status: 429, retryAfter: 300 });
    const a = step("a");
    await a.waits();
    const b = step("b");
    await b.waits();
    clock.advance(90_000);
    await b.recording.until(() => b.notices().length === 2);
    expect(await asked()).toEqual(["a", "a"]);
    clock.advance(299_999);
    expect(await asked()).toEqual(["a", "a"]);
    clock.advance(1);
    await Promise.all([a.ended, b.ended]);
    expect(await asked()).toEqual(["a", "a", "a", "b"]);
  });

  it("end at once with a cancel, and hold nobody up", async () => {
    await server.reply(TURNED_AWAY);
    const a = step("a");
    await a.waits();
    const b = step("b");
    await b.waits();
    a.recording.abort();
    await expect(a.ended).rejects.toThrow();
    clock.advance(90_000);
    await b.ended;
    expect(await asked()).toEqual(["a", "b"]);
  });

  it("do not wait for another model, or another account", async () => {
    await server.reply(TURNED_AWAY);
    const a = step("a");
    await a.waits();
    await Promise.all([
      step("b", { model: "other" }).ended,
      step("c", { base_url: `${server.url.replace("127.0.0.1", "localhost")}/v1` }).ended,
    ]);
    expect((await asked()).sort()).toEqual(["a", "b", "c"]);
    a.recording.abort();
    await expect(a.ended).rejects.toThrow();
  });

  it("that ask again by themselves do so one after the other too", async () => {
    await server.reply({ status: 429, retryAfter: 20 }, { status: 429, retryAfter: 20 });
    const [a, b] = [step("a"), step("b")];
    await until(() => clock.waiting === 1);
    await Promise.all([a, b].map((one) => one.recording.until(() => one.notices().length > 0)));
    clock.advance(20_000);
    await Promise.all([a.ended, b.ended]);
    expect(await asked()).toHaveLength(4);
  });

  it("do not wait longer than they may: they fail, and no request is made (I1, I2)", async () => {
    options = { ...options, limits: { providerWaitMs: 60_000 } };
    await server.reply(TURNED_AWAY);
    const ends = [await step("a").ended, await step("b").ended];
    expect(ends.map(({ outcome }) => outcome.error?.code)).toEqual(Array(2).fill("EXECUTION.AGENT.RATE_LIMIT"));
    expect(ends[1]?.outcome.error?.message).toMatch(/^openai_compatible lets nobody in until /);
    expect(await asked()).toEqual(["a"]);
  });
});
