/** A link: connections that fail or are lost, and what becomes of what was asked. */
import { type AnyMessage, agent, methods } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { type AgentSession, connect } from "../../../transports/client/connect.ts";
import { until } from "../../actors/process/support.ts";
import { app, bare, clock, connected, cwd, methodsOf, NONE, never, type Script, scripted } from "./scripted.ts";

describe("a link", () => {
  test.each<[string, Script]>([
    ["the first connection is refused", { refuses: true }],
    ["the first send fails", { takes: () => Promise.reject(new Error("broken pipe")) }],
  ])("S4, S17: %s, and the next one works", async (_, first) => {
    const { open, pairs, tries } = scripted(app, first, {});
    const states: string[] = [];
    const coming = connected(open, { onState: (state) => states.push(state) });
    await until(() => states.includes("backing off"));
    clock.advance(100);
    const client = await coming;
    await client.calls.request("session/list", {});
    expect(states).toEqual(expect.arrayContaining(["backing off", "connecting", "initializing", "restoring", "ready"]));
    expect([tries(), methodsOf(pairs.at(-1))]).toEqual([2, ["initialize", "session/list"]]);
    expect(client.counts).toEqual(NONE);
    await client.close();
  });
  test("S4: a connection that is lost is found again, and later calls work; the wait is jittered", async () => {
    const { open, pairs } = scripted(app);
    const states: string[] = [];
    const client = await connected(open, { onState: (state) => states.push(state), random: () => 0.5 });
    pairs[0]?.cut();
    await until(() => client.state === "backing off");
    const waits = client.calls.request("session/list", {});
    clock.advance(74);
    expect(client.state).toBe("backing off");
    clock.advance(1);
    await waits;
    expect(methodsOf(pairs[1])).toEqual(["initialize", "session/list"]);
    await client.close();
  });
  test("C20: what was sent and is safe is asked again; a prompt is not, nor is a new session", async () => {
    const far = () =>
      bare()
        .onRequest(methods.agent.session.prompt, never)
        .onRequest(methods.agent.session.list, () => (pairs.length === 1 ? never() : { sessions: [] }));
    const { open, pairs } = scripted(far);
    const client = await connected(open);
    const session = await client.newSession({ cwd });
    const prompt = expect(session.prompt("go")).rejects.toMatchObject({ type: "outcomeUnknown" });
    const list = client.calls.request("session/list", {});
    await until(() => pairs[0]?.sent.length === 4);
    pairs[0]?.cut();
    await prompt;
    await until(() => client.state === "backing off");
    clock.advance(100);
    expect(await list).toEqual({ sessions: [] });
    expect(methodsOf(pairs[1])).toEqual(["initialize", "session/list"]);
    await client.close();
  });
  test("C20: what had not been sent when the connection was lost is sent on the next one", async () => {
    const stuck = Promise.withResolvers<void>();
    const takes = (message: AnyMessage) =>
      "method" in message && message.method === "session/new" ? stuck.promise : undefined;
    const { open, pairs } = scripted(app, { takes }, {});
    const client = await connected(open);
    const session = client.newSession({ cwd });
    await until(() => client.counts.sending === 1);
    pairs[0]?.cut();
    stuck.reject(new Error("broken"));
    await until(() => client.state === "backing off");
    clock.advance(100);
    expect((await session).cwd).toBe(cwd);
    expect([methodsOf(pairs[0]), methodsOf(pairs[1])]).toEqual([["initialize"], ["initialize", "session/new"]]);
    await client.close();
  });
  test("what is no JSON is refused at once, and the connection stays", async () => {
    const { open, tries } = scripted(() =>
      app().onRequest(methods.agent.session.prompt, () => ({ stopReason: "end_turn" })),
    );
    const client = await connected(open);
    const session = await client.newSession({ cwd });
    const refused = { type: "unsupported", message: expect.stringContaining("session/prompt was not sent") };
    await expect(session.prompt("go", { _meta: { n: 1n } })).rejects.toMatchObject(refused);
    expect(await session.prompt("go")).toEqual({ stopReason: "end_turn" });
    await expect(client.calls.notify("session/cancel", { sessionId: "s", _meta: { n: 1n } })).rejects.toMatchObject({
      type: "unsupported",
    });
    await client.calls.request("session/list", {});
    expect([tries(), client.counts]).toEqual([1, NONE]);
    await client.close();
  });
  test.each<[string, (session: AgentSession, stop: AbortController) => void]>([
    ["by its session", (session) => session.cancel()],
    ["by its signal", (_, stop) => stop.abort()],
  ])("a prompt that waits for a connection and is cancelled %s ends, and is never sent", async (_, cancel) => {
    const { open, pairs } = scripted(() => app({ loadSession: true, sessionCapabilities: { resume: {} } }));
    const client = await connected(open, { reconnect: { attempts: 3, baseMs: 10_000, maxMs: 10_000 } });
    const session = await client.newSession({ cwd });
    pairs[0]?.cut();
    await until(() => client.state === "backing off");
    const stop = new AbortController();
    const prompt = session.prompt("delete it all", { signal: stop.signal });
    await until(() => client.counts.pending === 1);
    cancel(session, stop);
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    clock.advance(10_000);
    await until(() => client.state === "ready" || client.state === "backing off");
    await client.calls.request("session/list", {}).catch(() => undefined);
    expect(pairs.slice(1).flatMap(methodsOf)).not.toContain("session/prompt");
    expect(client.counts).toEqual(NONE);
    await client.close();
  });
  test("a prompt that waits for its turn to be sent and is cancelled is never sent", async () => {
    const stuck = Promise.withResolvers<void>();
    const takes = (message: AnyMessage) =>
      "method" in message && message.method === "session/list" ? stuck.promise : undefined;
    const { open, pairs } = scripted(app, { takes });
    const client = await connected(open, { maxInFlightSends: 1 });
    const session = await client.newSession({ cwd });
    const list = client.calls.request("session/list", {});
    const prompt = session.prompt("delete it all");
    await until(() => client.counts.waiting === 1);
    session.cancel();
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    stuck.resolve();
    await list;
    expect(methodsOf(pairs[0])).not.toContain("session/prompt");
    await client.close();
  });
  test("gives up after its tries, with the reason", async () => {
    const { open, tries } = scripted(app, { refuses: true });
    const failed = expect(connected(open)).rejects.toThrow("nobody listens");
    for (const wait of [100, 200, 400]) {
      await until(() => clock.timers === 1);
      clock.advance(wait);
    }
    await failed;
    expect(tries()).toBe(4);
  });
  test("what no further try mends is not tried again", async () => {
    const far = () => agent({ name: "far" }).onRequest(methods.agent.initialize, () => ({ protocolVersion: 2 }));
    const { open, pairs, tries } = scripted(far);
    await expect(connected(open)).rejects.toMatchObject({ type: "unsupportedProtocol" });
    await expect(connect({ command: "no-such-agent" })).rejects.toMatchObject({ type: "agentNotFound" });
    await expect(connect({ url: "ftp://127.0.0.1" })).rejects.toMatchObject({ type: "unsupported" });
    await expect(connect({ url: "ws://example.org", token: "t" })).rejects.toThrow(/not sent unencrypted/);
    expect([tries(), pairs[0]?.isEnded]).toEqual([1, true]);
  });
});
