/** A prompt of a client: when it is answered, and with what. */
import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { client, ended, running, words } from "./played.ts";

describe("session/prompt", () => {
  test("is answered after the turn's last update, however late the follower is", async () => {
    const { session, answer } = await running();
    session.write(words(0, "hello"), ended());
    await tick();
    expect(client.updates("agent_message_chunk")).toEqual([]);
    session.deliver();
    expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
    // The session's commands are announced in their own time.
    const isCommands = ({ params }: { [name: string]: unknown }): boolean =>
      JSON.stringify(params ?? null).includes("available_commands");
    const heard = client.heard.filter((one) => !isCommands(one));
    expect(heard.slice(-2).map(({ id, method }) => id ?? method)).toEqual(["session/update", 1]);
    expect(session.followers).toBe(0);
  });

  test("whose turn ends before the facade has named it is answered all the same", async () => {
    const session = await client.ready();
    session.onPrompt = async () => {
      session.write(ended());
      session.deliver();
      await tick();
      return { turn: "t" };
    };
    expect(await client.prompt(1, "x")).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  test("is not answered by the end of another turn", async () => {
    const { session, answer } = await running();
    session.write(ended("cancelled", "other"));
    session.deliver();
    session.write(ended());
    session.deliver();
    expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  test("while one runs is refused, and the first continues", async () => {
    const { session, answer } = await running();
    expect(await client.prompt(2, "again")).toMatchObject({
      error: { code: -32600, data: { reason: "prompt_in_flight", sessionId: "s1" } },
    });
    session.write(ended());
    session.deliver();
    expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(session.calls.filter(([call]) => call === "prompt")).toHaveLength(1);
  });

  test("sent twice in one write is taken once", async () => {
    const session = await client.ready();
    const second = client.message(({ id }) => id === 2);
    const prompt = { sessionId: "s1", prompt: [{ type: "text", text: "x" }] };
    client.send(
      { jsonrpc: "2.0", id: 1, method: "session/prompt", params: prompt },
      { jsonrpc: "2.0", id: 2, method: "session/prompt", params: prompt },
    );
    expect(await second).toMatchObject({ error: { code: -32600 } });
    expect(session.calls).toHaveLength(1);
    session.write(ended());
    session.deliver();
    await client.message(({ id }) => id === 1);
  });

  test("that the facade refuses is answered with its error, and the next one is taken", async () => {
    const session = await client.ready();
    session.onPrompt = () => Promise.reject(Object.assign(new Error("busy"), { code: "USER.SESSION.BUSY_ELSEWHERE" }));
    expect(await client.prompt(1, "x")).toMatchObject({ error: { code: -32600, message: "busy" } });
    expect(client.updates()).toMatchObject([{ sessionUpdate: "available_commands_update" }]);
    session.onPrompt = async () => ({ turn: "t" });
    const answer = client.prompt(2, "x");
    await tick();
    session.write(ended());
    session.deliver();
    expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  test("whose log cannot be written is answered with -32603", async () => {
    const { session, answer } = await running();
    session.lost.reject(Object.assign(new Error("disk full"), { code: "SYSTEM.IO.WRITE_FAILED" }) as never);
    expect(await answer).toMatchObject({
      error: { code: -32603, data: { code: "SYSTEM.IO.WRITE_FAILED", details: "disk full" } },
    });
  });

  test("of a session that belongs to no one is -32002", async () => {
    await client.ready();
    expect(await client.prompt(1, "x", "s9")).toMatchObject({ error: { code: -32002, data: { sessionId: "s9" } } });
  });

  test("passes texts, links and images on", async () => {
    const { session } = await running().then(async (one) => {
      one.session.write(ended());
      one.session.deliver();
      await one.answer;
      return one;
    });
    const link = { type: "resource_link", uri: "file:///a", name: "a" };
    const answer = client.request(5, "session/prompt", {
      sessionId: "s1",
      prompt: [{ type: "text", text: "x" }, link, { type: "image", data: "aGk=", mimeType: "image/png" }],
    });
    await tick();
    session.write(ended());
    session.deliver();
    await answer;
    expect(session.calls.at(-1)).toEqual([
      "prompt",
      {
        blocks: [{ type: "text", text: "x" }, link, { type: "image", data: "aGk=", mimeType: "image/png" }],
        by: "1",
        consent: "ask",
      },
    ]);
  });

  test("is cancelled by session/cancel: the answer is the turn's own end", async () => {
    const { session, answer } = await running();
    session.onCancel = () => {
      session.write(ended("cancelled"));
      session.deliver();
    };
    client.notify("session/cancel", { sessionId: "s1" });
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  });

  test("is taken back by $/cancel_request: the answer says so, after the turn's end", async () => {
    const { session, answer } = await running();
    session.onCancel = () => {
      session.write(ended("cancelled"));
      session.deliver();
    };
    client.notify("$/cancel_request", { requestId: 1 });
    expect(await answer).toMatchObject({ error: { code: -32800 } });
  });
});
