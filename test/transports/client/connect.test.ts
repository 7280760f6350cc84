import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentApp,
  type AnyMessage,
  agent,
  methods,
  RequestError,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CANCEL_MS } from "../../../actors/acp-client/session.ts";
import {
  type AgentSession,
  type ConnectOptions,
  connect,
  type OpenChannel,
} from "../../../transports/client/connect.ts";
import { until } from "../../actors/process/support.ts";
import { channelPair, type Pair } from "../../support/channel.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const NONE = { pending: 0, timers: 0, sending: 0, waiting: 0 };
let cwd: string;
let clock: ManualClock;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "troupe-client-")));
  clock = new ManualClock();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

type Script = { takes?: (message: AnyMessage) => Promise<void> | void; refuses?: boolean };
/** A factory of connections that follows a script; its last line is repeated. */
function scripted(app: () => AgentApp, ...script: Script[]): { open: OpenChannel; pairs: Pair[]; tries: () => number } {
  const pairs: Pair[] = [];
  let tries = 0;
  const open: OpenChannel = async () => {
    const line = script[Math.min(tries++, script.length - 1)] ?? {};
    if (line.refuses) throw new Error("nobody listens");
    const pair = channelPair(line);
    pairs.push(pair);
    app().connect(pair.far);
    return pair.channel;
  };
  return { open, pairs, tries: () => tries };
}
const reconnect = { attempts: 3, baseMs: 100, maxMs: 1000 };
const connected = (open: OpenChannel, more: Partial<ConnectOptions> = {}) =>
  connect({ open, clock, reconnect, random: () => 0, ...more } as ConnectOptions);

let sessions = 0;
const bare = (capabilities: object = {}): AgentApp =>
  agent({ name: "far" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: capabilities }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: `s${++sessions}` }));
const app = (capabilities: object = {}): AgentApp =>
  bare(capabilities).onRequest(methods.agent.session.list, () => ({ sessions: [] }));
const never = (): Promise<never> => new Promise(() => undefined);
const methodsOf = (pair: Pair | undefined): unknown[] =>
  (pair?.sent ?? []).map((message) => ("method" in message ? message.method : "answer"));

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
  test("sessions are replayed from their beginning after a loss, before any other request", async () => {
    const said = (text: string): SessionUpdate => ({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text },
    });
    const far = () =>
      app({ loadSession: true })
        .onRequest(methods.agent.session.load, async ({ client, params: { sessionId } }) => {
          for (const text of ["one", "missed"])
            await client.notify(methods.client.session.update, { sessionId, update: said(text) });
          return {};
        })
        .onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId } }) => {
          await client.notify(methods.client.session.update, { sessionId, update: said("one") });
          return { stopReason: "end_turn" };
        });
    const { open, pairs } = scripted(far);
    const shown: unknown[] = [];
    const client = await connected(open, {
      onReset: () => void shown.push("reset"),
      onUpdate: (update, { isReplay }) =>
        void shown.push([(update as { content: { text: string } }).content.text, isReplay]),
    });
    const session = await client.newSession({ cwd });
    await session.prompt("go");
    pairs[0]?.cut();
    await until(() => client.state === "backing off");
    const prompt = session.prompt("again");
    clock.advance(100);
    await prompt;
    expect(shown).toEqual([["one", false], "reset", ["one", true], ["missed", true], ["one", false]]);
    expect(methodsOf(pairs[1])).toEqual(["initialize", "session/load", "session/prompt"]);
    await client.close();
  });
  test.each([{ loadSession: true }, { sessionCapabilities: { resume: {} } }])(
    "H24: an agent that wants a sign-in on each connection is signed in to before a session is taken up again: %j",
    async (capabilities) => {
      const far = () => {
        let isSignedIn = false;
        const gate = () => {
          if (!isSignedIn) throw RequestError.authRequired();
          return {};
        };
        return agent({ name: "far" })
          .onRequest(methods.agent.initialize, () => ({
            ...{ protocolVersion: 1, agentCapabilities: capabilities },
            authMethods: [{ id: "key", name: "A key" }],
          }))
          .onRequest(methods.agent.authenticate, () => {
            isSignedIn = true;
            return {};
          })
          .onRequest(methods.agent.session.new, () => ({ ...gate(), sessionId: "s" }))
          .onRequest(methods.agent.session.load, gate)
          .onRequest(methods.agent.session.resume, gate)
          .onRequest(methods.agent.session.prompt, () => ({ ...gate(), stopReason: "end_turn" as const }));
      };
      const { open, pairs } = scripted(far);
      const errors: unknown[] = [];
      const client = await connected(open, { chooseAuth: ([one]) => one?.id ?? null, onError: (e) => errors.push(e) });
      const session = await client.newSession({ cwd });
      pairs[0]?.cut();
      await until(() => client.state === "backing off");
      clock.advance(100);
      await until(() => client.state === "ready");
      expect([await session.prompt("go"), errors]).toEqual([{ stopReason: "end_turn" }, []]);
      const again = "loadSession" in capabilities ? "session/load" : "session/resume";
      expect(methodsOf(pairs[1])).toEqual(["initialize", again, "authenticate", again, "session/prompt"]);
      await client.close();
    },
    10_000,
  );
  test("H50: a session that cannot be taken up again is reported, and never replaced by a new one", async () => {
    const { open, pairs } = scripted(() => app());
    const errors: unknown[] = [];
    const client = await connected(open, { onError: (error) => errors.push(error) });
    await client.newSession({ cwd });
    pairs[0]?.cut();
    await until(() => client.state === "backing off");
    clock.advance(100);
    await until(() => client.state === "ready");
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining("cannot take it up again") })]);
    expect(methodsOf(pairs[1])).toEqual(["initialize"]);
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

test.each([{}, { url: undefined }, { command: undefined }])(
  "connect(%j) is refused at once, in words",
  async (none) => {
    await expect(connect(none as unknown as ConnectOptions)).rejects.toMatchObject({
      type: "unsupported",
      message: 'connect has to be told where the agent is, by "url", "command" or "open"',
    });
  },
);
test("an address that is not given beside a program is none; two of both are refused", async () => {
  const program = { url: undefined, command: "no-such-agent-anywhere" } as unknown as ConnectOptions;
  await expect(connect(program)).rejects.toMatchObject({ type: "agentNotFound" });
  const both = { url: "ws://127.0.0.1:1", command: "true" } as unknown as ConnectOptions;
  await expect(connect(both)).rejects.toMatchObject({
    type: "unsupported",
    message: expect.stringContaining("not by url and command"),
  });
});
test("a client says nothing on standard output", async () => {
  const write = vi.spyOn(process.stdout, "write");
  const { open } = scripted(app);
  await (await connected(open)).close();
  expect(write).not.toHaveBeenCalled();
  write.mockRestore();
});
