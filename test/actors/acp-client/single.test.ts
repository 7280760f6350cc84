/** A client of one agent: the first words, its prompts in their order, and its sessions. */
import { tmpdir } from "node:os";
import { type AnyMessage, agent, methods, RequestError } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { connectOnce } from "../../../actors/acp-client/single.ts";
import { faultsOf, type Sent } from "../../support/acp-schema.ts";
import { channelPair } from "../../support/channel.ts";
import { until } from "../process/support.ts";
import { app, clock, connected, cwd, info } from "./far-agent.ts";

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
