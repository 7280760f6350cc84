/** What an agent says while it works, handed over in its order. */
import { agent, methods } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { connectOnce, ROUND_TRIP, ROUND_TRIP_MS, type SingleOptions } from "../../../actors/acp-client/single.ts";
import { channelPair } from "../../support/channel.ts";
import { until } from "../process/support.ts";
import { app, clock, connected, cwd, info, saidIn, text } from "./far-agent.ts";

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
  test("H45: an update that is sent as a request is shown, and answered (wire, I5)", async () => {
    const shown: string[] = [];
    const { client, pair } = await connected(app(), {
      onUpdate: (update) => void shown.push(saidIn(update)),
      onUnknownUpdate: ({ sessionUpdate }) => void shown.push(sessionUpdate),
    });
    await client.newSession({ cwd });
    const sent = pair.sent.length;
    pair.say({ id: 7, method: "session/update", params: { sessionId: "s1", update: text("asked") } });
    pair.say({ id: "x", method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "odd" } } });
    await until(() => shown.length === 2 && pair.sent.length === sent + 2);
    expect(shown).toEqual(["asked", "odd"]);
    expect(pair.sent.slice(sent)).toEqual([7, "x"].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
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
});
