/** T20: a reader that stops, on real sockets: cut off, and back without a gap. */
import { describe, expect, test } from "vitest";
import { type Message, SocketClient, updatesOf } from "../../support/server.ts";
import { house, limited } from "./limited.ts";

describe("T20: a reader that stops", () => {
  const CHUNKS = 110_000; // less than an answer may hold: no warning comes behind it
  const expected = Array.from({ length: CHUNKS }, (_, i) => `tok${i} `).join("");
  const textIn = (client: SocketClient, session: string): string =>
    updatesOf(client, session)
      .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
      .map(({ content }) => (content as { text: string }).text)
      .join("");

  test("is closed with a reason, slows no other, and comes back without a gap", async () => {
    const server = await limited({ stallMs: 400, closeMs: 60_000, disconnectGraceMs: 60_000 });
    const [slow, other] = [await SocketClient.ready(server.url), await SocketClient.ready(server.url)];
    const session = await slow.session(house.cwd);
    slow.prompt(session, `/say stream:${CHUNKS}`);
    await slow.hears("tok0 ");
    slow.ws.pause();
    const own = await other.session(house.cwd);
    expect(await other.prompt(own, "/say stream:1000")).toMatchObject({ result: { stopReason: "end_turn" } });
    await expect.poll(() => server.process.stderr).toContain("closed a connection: nothing was read");
    slow.ws.resume();
    expect(await slow.closed).toMatchObject({ code: 1013, reason: expect.stringContaining("load the session") });
    const back = await SocketClient.ready(server.url);
    await back.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
    await back.hears(`tok${CHUNKS - 1} `);
    expect(textIn(back, session)).toBe(expected);
    await Promise.all([back.leave(), other.leave()]);
  }, 120_000);

  test("who comes with a cursor beyond the head of the session is refused, and attaches nothing", async () => {
    const server = await limited({});
    const client = await SocketClient.open(server.url);
    const capabilities = { _meta: { "troupe/cursor": true } };
    await client.request("initialize", { protocolVersion: 1, clientCapabilities: capabilities });
    const session = await client.session(house.cwd);
    await client.prompt(session, "/hello");
    const resume = (seq: number, shown: object = {}) => {
      const _meta = { "troupe/cursor": { seq, shown } };
      return client.request("session/resume", { sessionId: session, cwd: house.cwd, mcpServers: [], _meta });
    };
    const isCursor = ({ message }: { message: Message }) => message["method"] === "_troupe/cursor";
    await client.sees(isCursor);
    const last = client.trace.findLast(isCursor)?.message["params"] as { seq: number };
    const refused = { error: { code: -32602, data: { code: "USER.ACP.INVALID_PARAMS", field: "_meta" } } };
    for (const seq of [last.seq + 1, 1e9, -1, 0.5]) expect(await resume(seq)).toMatchObject(refused);
    expect(await resume(0, { b: -1 })).toMatchObject(refused);
    expect(await resume(last.seq)).toMatchObject({ result: {} });
    await client.leave();
  });

  test("comes back by session/resume with its cursor, without a gap or a repeat, however often it is cut", async () => {
    const server = await limited({ disconnectGraceMs: 60_000 });
    const wanting = { protocolVersion: 1, clientCapabilities: { _meta: { "troupe/cursor": true } } };
    const words = 4_000;
    let session = "";
    let cursor: Message | null = null;
    let kept = "";
    for (let cut = 0; ; cut++) {
      const client = await SocketClient.open(server.url);
      await client.request("initialize", wanting);
      if (cut === 0) {
        session = await client.session(house.cwd);
        client.prompt(session, `/say stream:${words}@2000`);
      } else {
        const params = { sessionId: session, cwd: house.cwd, mcpServers: [], _meta: { "troupe/cursor": cursor } };
        expect(await client.request("session/resume", params)).toMatchObject({ result: {} });
      }
      const isMine = ({ message }: { message: Message }) => message["method"] === "_troupe/cursor";
      // Updates count when their cursor has come: what came after the last one is sent again.
      let seen = 0;
      for (let n = 0; n < 40 + cut && !kept.includes(`tok${words - 1} `); n++) {
        const at = client.trace.indexOf(await client.sees(isMine, seen), seen);
        for (const { from, message } of client.trace.slice(seen, at)) {
          const { update } = (message["params"] ?? {}) as { update?: Message };
          if (from === "agent" && update?.["sessionUpdate"] === "agent_message_chunk")
            kept += (update["content"] as { text: string }).text;
        }
        const { seq, shown } = (client.trace[at]?.message["params"] ?? {}) as Message;
        cursor = { seq, shown };
        seen = at + 1;
      }
      client.ws.terminate();
      if (kept.includes(`tok${words - 1} `)) break;
    }
    expect(kept).toBe(expected.slice(0, expected.indexOf(`tok${words} `)));
  }, 120_000);
});
