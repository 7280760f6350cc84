/** Answers that are none, come twice or hold too much. */
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, test, vi } from "vitest";
import { MISNAMED_MS } from "../../../actors/acp-client/connection.ts";
import { connectOnce } from "../../../actors/acp-client/single.ts";
import { channelPair } from "../../support/channel.ts";
import { until } from "../process/support.ts";
import { app, clock, connected, cwd, info } from "./far-agent.ts";

describe("what an agent says", () => {
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
