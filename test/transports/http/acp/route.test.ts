/** ACP over HTTP from a real server: the SDK's own client through a whole job, and what the transport refuses. */
import { once } from "node:events";
import { request as ask, type IncomingMessage } from "node:http";
import { client as acpClient, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { describe, expect, test } from "vitest";
import { storedRows } from "../../../support/house.ts";
import { type Server, startServer } from "../../../support/server.ts";
import { SseReader } from "../../../support/sse.ts";
import {
  at,
  connected,
  type Head,
  house,
  INITIALIZE,
  limited,
  post,
  problemIn,
  served,
  stream,
} from "./route-house.ts";

test("another method is answered with those that there are", async () => {
  const server = await startServer(house);
  for (const method of ["PUT", "PATCH", "OPTIONS"]) {
    const answer = await fetch(at(server), { method });
    expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "GET, POST, DELETE"]);
    expect(await problemIn(answer)).toBe("USER.SERVE.METHOD");
  }
  // A method of which the web makes no request.
  const [trace] = (await once(ask(at(server), { method: "TRACE" }).end(), "response")) as [IncomingMessage];
  expect([trace.resume().statusCode, trace.headers.allow]).toEqual([405, "GET, POST, DELETE"]);
});

test("initialize with an id that no answer could bear is refused, and no fault of the server", async () => {
  const server = await startServer(house);
  for (const id of [1.5, {}, true, "x".repeat(1025)]) {
    const answer = await post(server, { ...INITIALIZE, id });
    expect(answer.status).toBe(400);
    expect(await problemIn(answer)).toBe("USER.SERVE.INVALID_REQUEST");
  }
});

test("the SDK's client finishes a job with a parked question and a permission", async () => {
  const server = await served();
  const updates: SessionUpdate[] = [];
  const app = acpClient({ name: "far" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => ({
      outcome: {
        outcome: "selected",
        optionId: params.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "",
      },
    }))
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update));
  await app.connectWith(createHttpStream(at(server)), async (agent) => {
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: house.cwd, mcpServers: [] });
    const prompt = (text: string) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    for (const text of ["/talk", "Ann", "", "/gate"])
      expect(await prompt(text)).toMatchObject({ stopReason: "end_turn" });
    const rows = storedRows(house.store, sessionId);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const ends = rows.flatMap((row) => (row.type === "run.completed" ? [row.payload.status] : []));
    expect(ends).toEqual(["completed", "completed"]);
    expect(rows.filter(({ type }) => type === "permission.resolved")).toHaveLength(1);
    expect(JSON.stringify(updates)).toContain("The gate is open.");
  });
});

describe("a client that names no session in a header", () => {
  type Data = { [name: string]: unknown };
  const isAnswer =
    (id: number) =>
    ({ data }: { data: Data }) =>
      data["id"] === id && !("method" in data);
  const opened = async (server: Server, head: Head, reader: SseReader): Promise<string> => {
    await post(
      server,
      { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: house.cwd, mcpServers: [] } },
      head,
    );
    return ((await reader.sees(isAnswer(1))).data["result"] as { sessionId: string }).sessionId;
  };

  test("answers what it was asked: its answer belongs to the session that asked", async () => {
    const server = await served();
    const head = await connected(server);
    const sessionId = await opened(server, head, await SseReader.open(at(server), head));
    const named = { ...head, "acp-session-id": sessionId };
    const events = await SseReader.open(at(server), named);
    const prompt = {
      jsonrpc: "2.0",
      id: 2,
      method: "session/prompt",
      params: { sessionId, prompt: [{ type: "text", text: "/gate" }] },
    };
    expect((await post(server, prompt, head)).status).toBe(400); // the transport asks for it here
    await post(server, prompt, named);
    const { data } = await events.sees(({ data }) => data["method"] === "session/request_permission");
    const { options } = data["params"] as { options: { optionId: string; kind: string }[] };
    const optionId = options.find(({ kind }) => kind === "allow_once")?.optionId;
    const answer = { jsonrpc: "2.0", id: data["id"], result: { outcome: { outcome: "selected", optionId } } };
    expect((await post(server, answer, { ...head, "acp-session-id": "another" })).status).toBe(404);
    expect((await post(server, answer, head)).status).toBe(202);
    expect((await events.sees(isAnswer(2))).data).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(JSON.stringify(events.events)).toContain("The gate is open.");
  });

  test.each(["session/load", "session/resume"])(
    "%s: is sent on the connection's stream, then on the session's",
    async (method) => {
      const server = await served();
      const before = await connected(server);
      const sessionId = await opened(server, before, await SseReader.open(at(server), before));
      const first = await SseReader.open(at(server), { ...before, "acp-session-id": sessionId });
      const ask = (id: number, text: string, head: Head) =>
        post(
          server,
          { jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text }] } },
          { ...head, "acp-session-id": sessionId },
        );
      await ask(2, "/hello", before);
      await first.sees(isAnswer(2));

      const head = await connected(server);
      const own = await SseReader.open(at(server), head);
      const attach = { jsonrpc: "2.0", id: 3, method, params: { sessionId, cwd: house.cwd, mcpServers: [] } };
      expect((await post(server, attach, head)).status).toBe(202);
      await own.sees(isAnswer(3));
      const told = own.events.slice(0, own.events.findIndex(isAnswer(3)));
      expect(JSON.stringify(told).includes("Hello was said.")).toBe(method === "session/load");
      await ask(4, "/talk", head);
      await own.sees(isAnswer(4));
      expect(JSON.stringify(own.events)).toContain("Who are you?");
      const events = await SseReader.open(at(server), { ...head, "acp-session-id": sessionId });
      expect(events.status).toBe(200);
      await ask(5, "Ann", head);
      await events.sees(isAnswer(5));
      expect(JSON.stringify(events.events)).toContain("Ann");
      expect(JSON.stringify(own.events)).not.toContain("Ann");
    },
  );

  test("a session that is not there is 404", async () => {
    const server = await served();
    const head = await connected(server);
    const attach = {
      jsonrpc: "2.0",
      id: 3,
      method: "session/load",
      params: { sessionId: "none", cwd: house.cwd, mcpServers: [] },
    };
    expect((await post(server, attach, head)).status).toBe(404);
  });
});

describe("what does not fit", () => {
  test("a batch is 501, other types 415, no JSON 400, a long body 413, a bare GET 426, a GET without a name 400", async () => {
    const server = await limited("frameBytes=2000");
    const head = await connected(server);
    const batch = await post(server, [INITIALIZE], head);
    expect([batch.status, await batch.json()]).toMatchObject([501, { id: null, error: { code: -32600 } }]);
    const statuses = await Promise.all([
      post(server, "{}", { ...head, "content-type": "text/plain" }),
      post(server, "{nope", head),
      post(server, { jsonrpc: "2.0", id: 1, method: "x", params: { long: "x".repeat(3_000) } }, head),
      fetch(at(server)),
      stream(server, {}),
      fetch(at(server), { headers: head }),
      post(server, INITIALIZE, head),
      post(server, { jsonrpc: "2.0", id: 1, method: "session/list", params: {} }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([415, 400, 413, 426, 400, 406, 400, 400]);
    expect(await Promise.all(statuses.map(problemIn))).toEqual([
      "USER.SERVE.MEDIA_TYPE",
      "USER.SERVE.INVALID_REQUEST",
      "USER.ACP.MESSAGE_TOO_LARGE",
      "USER.SERVE.UPGRADE_NEEDED",
      ...Array(4).fill("USER.SERVE.INVALID_REQUEST"),
    ]);
  });
  test("an unknown connection and an unknown session are 404, on a stream as in a request", async () => {
    const server = await served();
    const head = await connected(server);
    const unknown = { "acp-connection-id": "00000000-0000-4000-8000-000000000000" };
    const session = { ...head, "acp-session-id": "not-there" };
    const prompt = { jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "not-there", prompt: [] } };
    const answers = await Promise.all([
      post(server, prompt, unknown),
      stream(server, unknown),
      fetch(at(server), { method: "DELETE", headers: unknown }),
      stream(server, session),
      post(server, prompt, session),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(await Promise.all(answers.map(problemIn))).toEqual([
      ...Array(3).fill("USER.SERVE.NO_SUCH_CONNECTION"),
      ...Array(2).fill("USER.SESSION.UNKNOWN"),
    ]);
    expect((await post(server, prompt, head)).status).toBe(400); // its header is missing
  });
  test("a second reader of a stream is 409", async () => {
    const server = await served();
    const head = await connected(server);
    const first = await stream(server, head);
    const second = await stream(server, head);
    expect([first.status, second.status, await problemIn(second)]).toEqual([200, 409, "USER.SERVE.INVALID_REQUEST"]);
    await first.body?.cancel();
  });
});
