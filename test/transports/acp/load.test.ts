/** Sessions that are loaded: their past, and their next prompt. */
import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { asked, client, ended, running, words } from "./played.ts";

describe("session/load", () => {
  test("replays the log, then answers; the next prompt is not echoed and asks what is asked anew", async () => {
    const session = await client.ready();
    session.write(
      { type: "message.user", payload: { turn: "t0", blocks: [{ type: "text", text: "/demo" }] } },
      words(0, "hello"),
      ended("end_turn", "t0"),
      asked(),
    );
    const loading = client.request(4, "session/load", { sessionId: "s1", cwd: "/", mcpServers: [] });
    await expect.poll(() => session.followers).toBe(1);
    session.deliver();
    expect(await loading).toMatchObject({ result: {} });
    const before = client.heard.findIndex(({ id }) => id === 4);
    const shown = client.heard.slice(0, before).map(({ id, params }) => id ?? (params as { update: object }).update);
    expect(shown).toMatchObject([
      "i",
      "n",
      { sessionUpdate: "user_message_chunk" },
      { sessionUpdate: "agent_message_chunk" },
      { sessionUpdate: "tool_call" },
    ]);
    const answer = client.prompt(5, "go on");
    await expect.poll(() => session.calls.at(-1)?.[0]).toBe("prompt");
    await tick();
    expect(client.heard.filter(({ method }) => method === "session/request_permission")).toEqual([]);
    session.write({ type: "message.user", payload: { turn: "t", blocks: [{ type: "text", text: "go on" }] } }, asked());
    session.deliver();
    const { id } = await client.message(({ method }) => method === "session/request_permission");
    client.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "selected", optionId: "trust" } } });
    await expect.poll(() => session.calls.at(-1)).toEqual(["decide", "p", "trust"]);
    session.write(ended());
    session.deliver();
    await answer;
    expect(client.updates("user_message_chunk")).toHaveLength(1);
  });

  test("of a session that does not exist is -32002", async () => {
    await client.ready();
    expect(await client.request(4, "session/load", { sessionId: "nope", cwd: "/", mcpServers: [] })).toMatchObject({
      error: { code: -32002 },
    });
  });

  test("is refused while a prompt of the session runs", async () => {
    const { session, answer } = await running();
    expect(await client.request(4, "session/load", { sessionId: "s1", cwd: "/", mcpServers: [] })).toMatchObject({
      error: { code: -32600, data: { reason: "prompt_in_flight" } },
    });
    session.write(ended());
    session.deliver();
    await answer;
  });
});
