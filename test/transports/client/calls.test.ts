/** Calls over a link: their answers, their limits and their ends. */
import { type AnyMessage, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { CANCEL_MS } from "../../../actors/acp-client/session.ts";
import type { AgentSession } from "../../../transports/client/connect.ts";
import { until } from "../../actors/process/support.ts";
import { channelPair } from "../../support/channel.ts";
import { app, bare, clock, connected, cwd, methodsOf, NONE, never, scripted } from "./scripted.ts";

describe("calls", () => {
  test("S14: 200 at once over a connection that answers in any order: ids are consecutive, and every answer finds its call", async () => {
    let seed = 7;
    const random = (): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed / 2147483648;
    };
    const held: (() => void)[] = [];
    const pair = channelPair();
    const client = connected(async () => pair.channel);
    await until(() => pair.sent.length === 1);
    pair.say({ id: 0, result: { protocolVersion: 1 } });
    const { calls, counts: _, ...rest } = await client;
    void rest;
    const answers = Array.from({ length: 200 }, (_, i) => calls.request("session/list", { cursor: `${i}` }));
    await until(() => pair.sent.length === 201);
    const ids = pair.sent.slice(1).map((message) => ("id" in message ? message.id : null));
    expect(ids).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    for (const message of pair.sent.slice(1)) {
      const { id, params } = message as { id: number; params: { cursor: string } };
      held.push(() => pair.say({ id, result: { sessions: [], nextCursor: params.cursor } }));
    }
    while (held.length > 0) held.splice(Math.floor(random() * held.length), 1)[0]?.();
    expect((await Promise.all(answers)).map(({ nextCursor }) => nextCursor)).toEqual(ids.map((_, i) => `${i}`));
    expect((await client).counts).toEqual(NONE);
    await (await client).close();
  });
  test("S9, S15: 40 sessions at once and 1000 calls in a row leave nothing behind", async () => {
    const { open } = scripted(app);
    const client = await connected(open, { maxInFlightSends: 4 });
    const opened = await Promise.all(Array.from({ length: 40 }, () => client.newSession({ cwd })));
    expect(new Set(opened.map(({ id }) => id)).size).toBe(40);
    for (let i = 0; i < 1000; i++) await client.calls.request("session/list", {});
    expect([client.counts, clock.timers]).toEqual([NONE, 0]);
    await client.close();
  });
  test("S5: never more than so many sends are under way", async () => {
    let now = 0;
    let most = 0;
    const release: (() => void)[] = [];
    const takes = async (message: AnyMessage): Promise<void> => {
      if (!("method" in message) || message.method !== "session/list") return;
      most = Math.max(most, ++now);
      await new Promise<void>((resolve) => release.push(resolve));
      now--;
    };
    const { open } = scripted(app, { takes });
    const client = await connected(open, { maxInFlightSends: 3 });
    const calls = Array.from({ length: 10 }, () => client.calls.request("session/list", {}));
    await until(() => release.length === 1);
    expect(client.counts).toMatchObject({ sending: 3, waiting: 7 });
    for (let i = 0; i < 10; i++) {
      await until(() => release.length === 1);
      release.pop()?.();
    }
    await Promise.all(calls);
    expect([most, client.counts]).toEqual([1, NONE]);
    await client.close();
  });
  test("S10, S12: close fails what is in flight with eof, twice is once, and later calls fail with notConnected", async () => {
    const { open, pairs } = scripted(() => app().onRequest(methods.agent.session.prompt, never));
    const client = await connected(open);
    const session = await client.newSession({ cwd });
    const calls = [session.prompt("go"), session.prompt("next")];
    await until(() => pairs[0]?.sent.length === 3);
    const ends = Promise.allSettled(calls);
    await Promise.all([client.close(), client.close()]);
    expect((await ends).map((end) => end.status === "rejected" && end.reason.type)).toEqual(["eof", "notConnected"]);
    await expect(client.newSession({ cwd })).rejects.toMatchObject({ type: "notConnected" });
    await client.close();
    await client.closed;
    expect([client.counts, clock.timers, pairs[0]?.isEnded]).toEqual([NONE, 0, true]);
  });
  test("close ends a prompt whose updates are never taken", async () => {
    const far = () =>
      app().onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId } }) => {
        const update: SessionUpdate = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } };
        await client.notify(methods.client.session.update, { sessionId, update });
        return { stopReason: "end_turn" };
      });
    const came = Promise.withResolvers<void>();
    const onUpdate = async (): Promise<never> => {
      came.resolve();
      return await never();
    };
    const client = await connected(scripted(far).open, { onUpdate });
    const prompt = (await client.newSession({ cwd })).prompt("go");
    await came.promise;
    await until(() => client.counts.pending === 0);
    // The answer is there; what is waited for now is the handler.
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
    await client.close();
    expect(await prompt).toEqual({ stopReason: "end_turn" });
  }, 10_000);
  test.each<[string, (session: AgentSession, stop: AbortController) => void]>([
    ["its session", (session) => session.cancel()],
    ["its signal", (_, stop) => stop.abort()],
  ])(
    "a prompt whose updates are never taken ends when %s cancels it after its answer, and its connection stays",
    async (_, cancel) => {
      const far = () =>
        app().onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId } }) => {
          const update: SessionUpdate = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } };
          await client.notify(methods.client.session.update, { sessionId, update });
          return { stopReason: "end_turn" };
        });
      const { open, pairs } = scripted(far);
      const client = await connected(open, { onUpdate: never });
      const stop = new AbortController();
      const session = await client.newSession({ cwd });
      const prompt = session.prompt("go", { signal: stop.signal });
      await until(() => pairs[0]?.sent.length === 3 && client.counts.pending === 0);
      for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
      cancel(session, stop);
      clock.advance(CANCEL_MS);
      expect(await prompt).toEqual({ stopReason: "end_turn" });
      expect([methodsOf(pairs[0]), client.state]).toEqual([["initialize", "session/new", "session/prompt"], "ready"]);
      await client.close();
    },
  );
  test("S11: of close and the time limit the first one decides, and only it", async () => {
    const { open } = scripted(() => bare().onRequest(methods.agent.session.list, never));
    const first = await connected(open);
    const a = first.calls.request("session/list", {}, { timeoutMs: 50 });
    const closed = first.close();
    clock.advance(50);
    await expect(a).rejects.toMatchObject({ type: "eof" });
    await closed;
    const second = await connected(open);
    const b = second.calls.request("session/list", {}, { timeoutMs: 50 });
    await until(() => clock.timers === 1);
    clock.advance(50);
    const late = second.close();
    await expect(b).rejects.toMatchObject({ type: "requestTimeout", details: { ms: 50 } });
    await late;
    expect([first.counts, second.counts, clock.timers]).toEqual([NONE, NONE, 0]);
  });
  test("a prompt whose time is over is cancelled, and the next one waits until its agent has ended it", async () => {
    const answers: ((response: { stopReason: "cancelled" | "end_turn" }) => void)[] = [];
    const asked = () => new Promise<{ stopReason: "cancelled" | "end_turn" }>((resolve) => answers.push(resolve));
    const { open, pairs } = scripted(() => app().onRequest(methods.agent.session.prompt, asked));
    const client = await connected(open);
    const session = await client.newSession({ cwd });
    const first = session.prompt("long", { timeoutMs: 50 });
    first.catch(() => undefined);
    await until(() => answers.length === 1);
    clock.advance(50);
    await expect(first).rejects.toMatchObject({ type: "requestTimeout", details: { ms: 50 } });
    const second = session.prompt("next");
    await until(() => methodsOf(pairs[0]).includes("session/cancel"));
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toHaveLength(1);
    answers[0]?.({ stopReason: "cancelled" });
    await until(() => answers.length === 2);
    answers[1]?.({ stopReason: "end_turn" });
    expect(await second).toEqual({ stopReason: "end_turn" });
    expect([client.state, client.counts, clock.timers]).toEqual(["ready", NONE, 0]);
    await client.close();
  });
  test("a prompt whose time is over waits no longer than a cancel does for an agent that goes on", async () => {
    let prompts = 0;
    const asked = () => (++prompts === 1 ? never() : ({ stopReason: "end_turn" } as const));
    const { open } = scripted(() => app().onRequest(methods.agent.session.prompt, asked));
    const client = await connected(open);
    const session = await client.newSession({ cwd });
    const first = session.prompt("long", { timeoutMs: 50 });
    first.catch(() => undefined);
    await until(() => prompts === 1);
    clock.advance(50);
    await expect(first).rejects.toMatchObject({ type: "requestTimeout" });
    const second = session.prompt("next");
    clock.advance(CANCEL_MS);
    expect(await second).toEqual({ stopReason: "end_turn" });
    expect([client.state, client.counts, clock.timers]).toEqual(["ready", NONE, 0]);
    await client.close();
  });
  test("a call whose time is over is cancelled at the agent", async () => {
    const { open, pairs } = scripted(() => bare().onRequest(methods.agent.session.list, never));
    const client = await connected(open);
    const call = expect(client.calls.request("session/list", {}, { timeoutMs: 5 })).rejects.toMatchObject({
      type: "requestTimeout",
    });
    await until(() => pairs[0]?.sent.length === 2);
    clock.advance(5);
    await call;
    await until(() => pairs[0]?.sent.length === 3);
    expect(pairs[0]?.sent.at(-1)).toMatchObject({ method: "$/cancel_request", params: { requestId: 1 } });
    await client.close();
  });
});
