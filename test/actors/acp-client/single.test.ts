import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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
import { MISNAMED_MS } from "../../../actors/acp-client/connection.ts";
import { CANCEL_MS } from "../../../actors/acp-client/session.ts";
import {
  connectOnce,
  ROUND_TRIP,
  ROUND_TRIP_MS,
  type SingleClient,
  type SingleOptions,
} from "../../../actors/acp-client/single.ts";
import { faultsOf, type Sent } from "../../support/acp-schema.ts";
import { channelPair, type Pair } from "../../support/channel.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { until } from "../process/support.ts";

const info = { name: "test", version: "1" };
const text = (said: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: said },
});
let cwd: string;
let clock: ManualClock;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "troupe-single-")));
  clock = new ManualClock();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** An agent that answers the first words; a test adds what it is about. */
const app = (capabilities: object = {}): AgentApp =>
  agent({ name: "far" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: capabilities }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }));

async function connected(far: AgentApp, o: Partial<SingleOptions> = {}): Promise<{ client: SingleClient; pair: Pair }> {
  const pair = channelPair();
  far.connect(pair.far);
  return { pair, client: await connectOnce(pair.channel, { info, clock, ...o }) };
}
const ofClient = (sent: AnyMessage[]): Sent[] => sent.map((message) => ({ from: "client", message: { ...message } }));

describe("the first words", () => {
  test("H22, H23, H25: initialize, then the session, and nothing beside; what is sent is valid", async () => {
    const { client, pair } = await connected(app(), { files: { write: "allow" } });
    await client.newSession({ cwd, additionalDirectories: [tmpdir()] });
    expect(pair.sent).toEqual([
      {
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
          clientInfo: info,
        },
      },
      // The agent has not offered additional directories.
      { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd, mcpServers: [] } },
    ]);
    expect(faultsOf(ofClient(pair.sent), ["client"])).toEqual([]);
  });
  test.each([
    [2, "this client"],
    [0, "the agent"],
  ])("H23: another version is left: %i", async (protocolVersion, older) => {
    const far = agent({ name: "far" }).onRequest(methods.agent.initialize, () => ({ protocolVersion }));
    const pair = channelPair();
    far.connect(pair.far);
    await expect(connectOnce(pair.channel, { info })).rejects.toMatchObject({
      type: "unsupportedProtocol",
      message: expect.stringMatching(new RegExp(`: update ${older}$`)),
    });
    expect(pair.isEnded).toBe(true);
  });
  test("H17: an agent that never answers is given up in time, and left", async () => {
    const pair = channelPair();
    const failed = expect(connectOnce(pair.channel, { info, clock })).rejects.toMatchObject({
      type: "requestTimeout",
      details: { method: "initialize", ms: 30_000 },
    });
    await until(() => clock.timers === 1);
    clock.advance(30_000);
    await failed;
    expect(pair.isEnded).toBe(true);
  });
  test("H24: an agent that asks for it is authenticated once, by the method that was chosen", async () => {
    let isKnown = false;
    const asked: string[] = [];
    const far = agent({ name: "far" })
      .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, authMethods: [{ id: "key", name: "Key" }] }))
      .onRequest(methods.agent.authenticate, ({ params }) => {
        asked.push(params.methodId);
        isKnown = true;
        return {};
      })
      .onRequest(methods.agent.session.new, () => {
        if (!isKnown) throw RequestError.authRequired();
        return { sessionId: "s1" };
      });
    const refused = await connected(far);
    await expect(refused.client.newSession({ cwd })).rejects.toMatchObject({
      type: "refused",
      details: { code: -32000 },
    });
    const { client } = await connected(far, { chooseAuth: ([first]) => first?.id ?? null });
    expect((await client.newSession({ cwd })).id).toBe("s1");
    expect(asked).toEqual(["key"]);
  });
});

describe("what an agent says", () => {
  test("H45, S13: updates come in their order, one after the other, and before the answer", async () => {
    const far = app().onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId } }) => {
      for (let i = 0; i < 50; i++)
        void client.notify(methods.client.session.update, { sessionId, update: text(`${i}`) });
      return { stopReason: "end_turn" };
    });
    const shown: string[] = [];
    let inside = 0;
    const { client } = await connected(far, {
      onUpdate: async (update) => {
        expect(++inside).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
        shown.push(saidIn(update));
      },
    });
    const session = await client.newSession({ cwd });
    expect(await session.prompt("go")).toEqual({ stopReason: "end_turn" });
    expect(shown).toEqual(Array.from({ length: 50 }, (_, i) => `${i}`));
  });
  test("H50: what an agent tells again after its answer comes as told again, and in no turn", async () => {
    // A slow agent: it has told one piece when the next message reaches it.
    const pieces = ["one", "two", "three"];
    const pair = channelPair({
      takes: (message) => {
        const piece = "method" in message && /load|round_trip|prompt/.test(message.method) ? pieces.shift() : undefined;
        if (piece === undefined) return;
        pair.say({ method: "session/update", params: { sessionId: "s1", update: text(piece) } });
      },
    });
    app({ loadSession: true })
      .onRequest(methods.agent.session.load, () => ({}))
      .onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId } }) => {
        await client.notify(methods.client.session.update, { sessionId, update: text("new") });
        return { stopReason: "end_turn" };
      })
      .connect(pair.far);
    const shown: unknown[] = [];
    const onUpdate: SingleOptions["onUpdate"] = (update, { isReplay }) => void shown.push([saidIn(update), isReplay]);
    const client = await connectOnce(pair.channel, { info, clock, onUpdate });
    const session = await client.openSession("s1", { cwd });
    await session.prompt("go");
    expect(shown).toEqual([...["one", "two", "three"].map((said) => [said, true]), ["new", false]]);
  });
  test("H50: an agent that never answers an unknown method is loaded all the same", async () => {
    const far = app({ loadSession: true }).onRequest(methods.agent.session.load, () => ({}));
    let isAsked = false;
    const pair = channelPair({
      takes: (message) => {
        if (!("method" in message && message.method === ROUND_TRIP)) return;
        isAsked = true;
        return new Promise(() => undefined);
      },
    });
    far.connect(pair.far);
    const client = await connectOnce(pair.channel, { info, clock });
    const opening = client.openSession("s1", { cwd });
    await until(() => isAsked);
    clock.advance(ROUND_TRIP_MS);
    expect((await opening).id).toBe("s1");
  });
  test("H45: an update of an unknown kind is handed over as it came, and nothing stops", async () => {
    const shown: unknown[] = [];
    const { client, pair } = await connected(app(), {
      onUpdate: (update) => void shown.push(update.sessionUpdate),
      onUnknownUpdate: (update, said) => void shown.push([update, said]),
    });
    const session = await client.newSession({ cwd });
    const update = { sessionUpdate: "retry_update", attempt: 2 };
    pair.say({ method: "session/update", params: { sessionId: "s1", update } });
    pair.say({ method: "session/update", params: { sessionId: "s1", update: text("after") } });
    await until(() => shown.length === 2);
    expect(shown).toEqual([[update, { sessionId: session.id, isReplay: false }], "agent_message_chunk"]);
  });
  test("H45: an update that names no session is of the only one, and of none among several", async () => {
    const shown: unknown[] = [];
    let made = 0;
    const far = agent({ name: "far" })
      .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
      .onRequest(methods.agent.session.new, () => ({ sessionId: `s${++made}` }));
    const { client, pair } = await connected(far, {
      onUpdate: (update) => void shown.push(update.sessionUpdate),
      onUnknownUpdate: (update, { sessionId }) => void shown.push([sessionId, update]),
    });
    const update = text("lost");
    const say = () => {
      pair.say({ method: "session/update", params: { update } });
      pair.say({ method: "session/update" });
      pair.say({ method: "session/update", params: { sessionId: "s1", update } });
    };
    await client.newSession({ cwd });
    say();
    await until(() => shown.includes("agent_message_chunk"));
    expect(shown.splice(0)).toEqual([["s1", update], ["s1", { sessionUpdate: "none" }], "agent_message_chunk"]);
    await client.newSession({ cwd });
    say();
    await until(() => shown.length > 0);
    expect(shown).toEqual(["agent_message_chunk"]);
  });
  test("H45: an entry of a plan is shown whatever its status or priority is called", async () => {
    const shown: unknown[] = [];
    const { client, pair } = await connected(app(), { onUpdate: (update) => void shown.push(update) });
    await client.newSession({ cwd });
    const entries = [
      { content: "one", priority: "high", status: "completed" },
      { content: "two", priority: "urgent", status: "blocked", _meta: { a: 1 } },
      { content: "three" },
    ];
    pair.say({ method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "plan", entries } } });
    await until(() => shown.length > 0);
    const unknown = { priority: "medium", status: "pending" };
    expect(shown).toEqual([
      { sessionUpdate: "plan", entries: [entries[0], { ...entries[1], ...unknown }, { content: "three", ...unknown }] },
    ]);
  });
  test("H45: an update without what its kind needs is handed over like one of an unknown kind", async () => {
    const shown: unknown[] = [];
    const { client, pair } = await connected(app(), {
      onUpdate: (update) => void shown.push(update.sessionUpdate),
      onUnknownUpdate: (update) => void shown.push(update),
    });
    await client.newSession({ cwd });
    const of = (type: string, block: object) => ({ sessionUpdate: "agent_message_chunk", content: { type, ...block } });
    const broken = [
      of("text", {}),
      of("video", { data: "" }),
      of("resource", { resource: { uri: "a:b" } }),
      { sessionUpdate: "agent_thought_chunk" },
      { sessionUpdate: "tool_call", toolCallId: "t" },
      { sessionUpdate: "plan" },
      { sessionUpdate: "usage_update", used: -1, size: 1 },
      { sessionUpdate: "notice", severity: "info", title: "" },
      { sessionUpdate: "notice", title: "n" },
      { sessionUpdate: "compaction_update", status: "completed" },
      { sessionUpdate: "compaction_summary_chunk", compactionId: "c" },
    ];
    const whole = [
      of("text", { text: "" }),
      of("image", { data: "", mimeType: "image/png" }),
      of("audio", { data: "", mimeType: "audio/wav" }),
      of("resource_link", { name: "n", uri: "a:b" }),
      of("resource", { resource: { uri: "a:b", text: "" } }),
      { sessionUpdate: "tool_call", toolCallId: "t", title: "T", kind: "odd", locations: 1 },
      { sessionUpdate: "tool_call_update", toolCallId: "t", status: "odd" },
      { sessionUpdate: "plan", entries: [null] },
      { sessionUpdate: "usage_update", used: 0, size: 0 },
      { sessionUpdate: "current_mode_update", currentModeId: "m" },
      { sessionUpdate: "available_commands_update", availableCommands: [] },
      { sessionUpdate: "config_option_update", configOptions: [] },
      { sessionUpdate: "session_info_update" },
      { sessionUpdate: "notice", severity: "odd", title: "n" },
      { sessionUpdate: "compaction_update", compactionId: "c", status: "odd" },
      { ...of("text", { text: "" }), sessionUpdate: "compaction_summary_chunk", compactionId: "c" },
    ];
    const say = (update: unknown) => pair.say({ method: "session/update", params: { sessionId: "s1", update } });
    for (const update of [...broken, {}, null, { sessionUpdate: 5, a: 1 }, ...whole]) say(update);
    await until(() => shown.length === broken.length + 3 + whole.length);
    const none = { sessionUpdate: "none" };
    const kinds = whole.map(({ sessionUpdate }) => sessionUpdate);
    expect(shown).toEqual([...broken, none, none, { ...none, a: 1 }, ...kinds]);
  });
  test("a handler that throws is reported, and the next update comes", async () => {
    const shown: string[] = [];
    const errors: unknown[] = [];
    const { client, pair } = await connected(app(), {
      onError: (error) => errors.push(error),
      onUpdate: (update) => {
        if (saidIn(update) === "1") throw new Error("broken");
        shown.push(saidIn(update));
      },
    });
    await client.newSession({ cwd });
    for (const said of ["1", "2"])
      pair.say({ method: "session/update", params: { sessionId: "s1", update: text(said) } });
    await until(() => shown.length === 1);
    expect([shown, errors]).toEqual([["2"], [new Error("broken")]]);
  });
  test("an update that comes before the session's id is shown when it is known", async () => {
    const far = agent({ name: "far" })
      .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
      .onRequest(methods.agent.session.new, async ({ client }) => {
        await client.notify(methods.client.session.update, { sessionId: "s1", update: text("early") });
        return { sessionId: "s1" };
      });
    const shown: string[] = [];
    const { client } = await connected(far, { onUpdate: (update) => void shown.push(saidIn(update)) });
    await client.newSession({ cwd });
    expect(shown).toEqual(["early"]);
  });
  test("an answer that is none of the protocol's is an error of its own", async () => {
    const far = app().onRequest(methods.agent.session.prompt, () => ({ stopReason: "banana" }) as never);
    const { client } = await connected(far);
    const session = await client.newSession({ cwd });
    await expect(session.prompt("x")).rejects.toMatchObject({
      type: "invalidResponse",
      details: { field: "stopReason" },
    });
  });
  test.each([
    ["neither", {}, 'it has neither "result" nor "error"'],
    ["both", { result: { protocolVersion: 1 }, error: { code: 1, message: "no" } }, 'it has both "result" and "error"'],
    ["an error of no form", { error: "no" }, 'its "error" has no code and message'],
  ])("an answer that is none of JSON-RPC's is no refusal: %s", async (_, answer, why) => {
    const pair = channelPair();
    const client = connectOnce(pair.channel, { info, clock });
    await until(() => pair.sent.length === 1);
    pair.say({ id: 0, ...answer });
    await expect(client).rejects.toMatchObject({
      type: "invalidResponse",
      message: `the agent's answer to initialize is not valid: ${why}`,
    });
  });
  test("a method without a result may be answered without one; a refusal may hold whatever it likes", async () => {
    const far = app().onRequest(methods.agent.session.setMode, () => new Promise<never>(() => undefined));
    const { client, pair } = await connected(far);
    const session = await client.newSession({ cwd });
    const set = session.setMode("m");
    await until(() => pair.sent.length === 3);
    pair.say({ id: 2 });
    await set;
    const again = session.setMode("m");
    await until(() => pair.sent.length === 4);
    pair.say({ id: 3, error: { code: -32600, message: "Invalid request", data: { jsonrpc: "2.0", id: 3 } } });
    await expect(again).rejects.toMatchObject({ type: "refused" });
  });
  test("S8: answers to no request, twice, and with another id are ignored", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const pair = channelPair();
    const client = connectOnce(pair.channel, { info, clock });
    await until(() => pair.sent.length === 1);
    pair.say({ id: "0", result: { protocolVersion: 9 } });
    pair.say({ id: 77, result: {} });
    pair.say({ id: 0, result: { protocolVersion: 1 } });
    pair.say({ id: 0, result: { protocolVersion: 9 } });
    expect((await client).calls.agent.protocolVersion).toBe(1);
    errors.mockRestore();
  });
  test.each([
    ["its id as a text", ["00", "", "0", "0"], { result: { protocolVersion: 1 } }, '"0", which is not the request\'s'],
    [
      "no id",
      [null, null],
      { error: { code: -32700, message: "no" } },
      "null, which is not the request's; it says: no",
    ],
  ])(
    "an answer with %s fails its request soon, where the right one does not come (wire, I2)",
    async (_, ids, o, why) => {
      const pair = channelPair();
      const client = connectOnce(pair.channel, { info, clock });
      await until(() => pair.sent.length === 1);
      const timers = clock.timers;
      for (const id of ids) pair.say({ id, ...o });
      await until(() => clock.timers === timers + 1);
      clock.advance(MISNAMED_MS);
      const message = `the agent's answer to initialize is not valid: its "id" is ${why}`;
      await expect(client).rejects.toMatchObject({ type: "invalidResponse", message });
      expect(clock.timers).toBe(0);
    },
  );
  test("an error without an id is of the request that was sent last, if nothing was sent since", async () => {
    const far = app().onRequest(methods.agent.session.prompt, () => new Promise<never>(() => undefined));
    const { client, pair } = await connected(far);
    const session = await client.newSession({ cwd });
    const prompt = session.prompt("x");
    await until(() => pair.sent.length === 3);
    await client.calls.notify("session/cancel", { sessionId: session.id });
    pair.say({ id: null, error: { code: -32601, message: "no session/cancel" } });
    pair.say({ id: 2, result: { stopReason: "end_turn" } });
    expect(await prompt).toMatchObject({ stopReason: "end_turn" });
    expect(clock.timers).toBe(0);
  });
});

describe("what an agent asks", () => {
  // The SDK's agent complains about answers that it did not ask for.
  test("H22, H30: what was not offered is -32601, and a session that is not ours -32602", async () => {
    const { client, pair } = await connected(app());
    const has = await connected(app(), { files: { write: "deny" } });
    await client.newSession({ cwd });
    await has.client.newSession({ cwd });
    const answers = async (to: Pair, method: string, params: object): Promise<unknown> => {
      const count = to.sent.length;
      to.say({ id: 900, method, params });
      await until(() => to.sent.length > count);
      return to.sent.at(-1);
    };
    const path = join(cwd, "a.txt");
    writeFileSync(path, "a");
    const refusal = (code: number) => ({ id: 900, error: { code } });
    expect(await answers(pair, "fs/read_text_file", { sessionId: "s1", path })).toMatchObject(refusal(-32601));
    expect(await answers(pair, "terminal/create", { sessionId: "s1", command: "true" })).toMatchObject(refusal(-32601));
    expect(await answers(has.pair, "fs/read_text_file", { sessionId: "s1", path })).toMatchObject({
      result: { content: "a" },
    });
    expect(await answers(has.pair, "fs/read_text_file", { sessionId: "s2", path })).toMatchObject(refusal(-32602));
    const write = { sessionId: "s1", path, content: "b" };
    expect(await answers(has.pair, "fs/write_text_file", write)).toMatchObject(refusal(-32601));
  });
  test("H27, H37: a cancel takes back what was asked and waits for the agent's end of the turn", async () => {
    const outcomes: unknown[] = [];
    const far = app().onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId } }) => {
      outcomes.push(
        (
          await client.request(methods.client.session.requestPermission, {
            sessionId,
            toolCall: { toolCallId: "t" },
            options: [{ optionId: "yes", kind: "allow_once", name: "Yes" }],
          })
        ).outcome,
      );
      await client.notify(methods.client.session.update, { sessionId, update: text("last words") });
      return { stopReason: "cancelled" };
    });
    const shown: string[] = [];
    const human = Promise.withResolvers<string>();
    const asked = Promise.withResolvers<void>();
    const { client, pair } = await connected(far, {
      onUpdate: (update) => void shown.push(saidIn(update)),
      permission: () => {
        asked.resolve();
        return human.promise;
      },
    });
    const session = await client.newSession({ cwd });
    const prompt = session.prompt("go");
    await asked.promise;
    session.cancel();
    human.resolve("yes");
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    expect([outcomes, shown]).toEqual([[{ outcome: "cancelled" }], ["last words"]]);
    expect(pair.sent.filter((message) => "method" in message && message.method === "session/cancel")).toHaveLength(1);
    expect([clock.timers, pair.isEnded]).toEqual([0, false]);
  });
  test("H27: an agent that ignores the cancel is left", async () => {
    const far = app().onRequest(methods.agent.session.prompt, () => new Promise<never>(() => undefined));
    const { client, pair } = await connected(far);
    const session = await client.newSession({ cwd });
    const stop = new AbortController();
    const prompt = session.prompt("go", { signal: stop.signal });
    await until(() => pair.sent.length === 3);
    stop.abort();
    clock.advance(CANCEL_MS - 1);
    expect(pair.isEnded).toBe(false);
    clock.advance(1);
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    await client.ended;
    expect(pair.isEnded).toBe(true);
  });
  test("an agent that has answered stays, however long its updates take to be shown here", async () => {
    const shown = Promise.withResolvers<void>();
    const far = app().onRequest(methods.agent.session.prompt, async ({ client: near }) => {
      await near.notify(methods.client.session.update, { sessionId: "s1", update: text("late") });
      return { stopReason: "end_turn" };
    });
    let isHeard = false;
    const onUpdate = (): Promise<void> => {
      isHeard = true;
      return shown.promise;
    };
    const { client, pair } = await connected(far, { onUpdate });
    const session = await client.newSession({ cwd });
    const prompt = session.prompt("go");
    await until(() => isHeard);
    await new Promise((resolve) => setTimeout(resolve, 20)); // its answer has come
    session.cancel();
    clock.advance(CANCEL_MS);
    shown.resolve();
    expect(await prompt).toEqual({ stopReason: "end_turn" });
    expect(pair.isEnded).toBe(false);
    expect(pair.sent).toHaveLength(3);
    await client.close();
  });
});

describe("prompts", () => {
  test("H26: content that the agent does not take is refused before anything is sent", async () => {
    const image = { type: "image", data: "", mimeType: "image/png" } as const;
    const link = { type: "resource_link", name: "a", uri: "file:///a" } as const;
    const answering = (capabilities: object) =>
      app(capabilities).onRequest(methods.agent.session.prompt, () => ({ stopReason: "end_turn" }));
    const { client, pair } = await connected(answering({}));
    const session = await client.newSession({ cwd });
    await expect(session.prompt([image])).rejects.toMatchObject({ type: "unsupported" });
    expect(pair.sent).toHaveLength(2);
    await session.prompt([link]);
    const more = await connected(answering({ promptCapabilities: { image: true } }));
    expect(await (await more.client.newSession({ cwd })).prompt([image])).toEqual({ stopReason: "end_turn" });
  });
  test("H29: one runs, 16 wait in their order, one more is refused, and each can be taken back", async () => {
    const heard: string[] = [];
    const first = Promise.withResolvers<void>();
    const far = app().onRequest(methods.agent.session.prompt, async ({ params }) => {
      heard.push((params.prompt[0] as { text: string }).text);
      await first.promise;
      return { stopReason: "end_turn" };
    });
    const { client, pair } = await connected(far);
    const session = await client.newSession({ cwd });
    const stop = new AbortController();
    const prompts = Array.from({ length: 17 }, (_, i) =>
      session.prompt(`${i}`, i === 5 ? { signal: stop.signal } : {}),
    );
    await expect(session.prompt("one more")).rejects.toMatchObject({ type: "busy" });
    await expect(session.prompt("or none", { whenBusy: "fail" })).rejects.toMatchObject({ type: "busy" });
    await until(() => heard.length === 1);
    expect(pair.sent).toHaveLength(3);
    stop.abort();
    expect(await prompts[5]).toEqual({ stopReason: "cancelled" });
    first.resolve();
    await Promise.all(prompts);
    expect(heard).toEqual(Array.from({ length: 17 }, (_, i) => `${i}`).filter((n) => n !== "5"));
  });
  test("a session that is closed ends those that wait as cancelled, and sends none of them (session.ts, I4)", async () => {
    const heard: string[] = [];
    const first = Promise.withResolvers<void>();
    const far = app()
      .onRequest(methods.agent.session.prompt, async ({ params }) => {
        heard.push((params.prompt[0] as { text: string }).text);
        await first.promise;
        return { stopReason: "cancelled" };
      })
      .onNotification(methods.agent.session.cancel, () => first.resolve());
    const { client } = await connected(far);
    const session = await client.newSession({ cwd });
    const prompts = ["a", "b", "c"].map((text) => session.prompt(text));
    await until(() => heard.length === 1);
    await session.close();
    expect(await Promise.all(prompts)).toEqual(prompts.map(() => ({ stopReason: "cancelled" })));
    expect(heard).toEqual(["a"]);
  });
  test("H28: one that was sent when the connection ended has an unknown outcome; what was not sent, none", async () => {
    const far = app()
      .onRequest(methods.agent.session.prompt, () => new Promise<never>(() => undefined))
      .onRequest(methods.agent.session.list, () => new Promise<never>(() => undefined));
    const { client, pair } = await connected(far);
    const session = await client.newSession({ cwd });
    const prompt = expect(session.prompt("go")).rejects.toMatchObject({
      type: "outcomeUnknown",
      code: "SYSTEM.CLIENT.OUTCOME_UNKNOWN",
      message: expect.stringContaining("somebody pulled the plug"),
    });
    const list = expect(client.calls.request("session/list", {})).rejects.toMatchObject({ type: "eof" });
    await until(() => pair.sent.length === 4);
    pair.cut("somebody pulled the plug");
    await Promise.all([prompt, list]);
    await expect(session.prompt("again")).rejects.toMatchObject({ type: "notConnected" });
  });
});

function saidIn(update: SessionUpdate): string {
  return update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "";
}

test("a list of sessions ends where an agent says a cursor again", async () => {
  let asked = 0;
  const far = app({ sessionCapabilities: { list: {} } }).onRequest(methods.agent.session.list, () => {
    if (++asked > 5) throw new RequestError(-32603, "asked without an end");
    return { sessions: [{ sessionId: `s${asked}`, cwd }], nextCursor: "more" };
  });
  const { client } = await connected(far);
  const ids: string[] = [];
  for await (const { sessionId } of client.sessions()) ids.push(sessionId);
  expect(ids).toEqual(["s1", "s2"]);
  await client.close();
});
