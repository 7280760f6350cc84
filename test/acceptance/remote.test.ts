/**
 * Clients by other authors at the other end of a socket: a run with a permission and a parked question, to its end.
 * Server, bridge and client are processes of their own.
 */
import { client as acpClient, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { saidIn } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse, PROGRAM, storedRows } from "../support/house.ts";
import { startServer } from "../support/server.ts";
import { answers, requests, Taped } from "./wires.ts";

const TRUST = { TROUPE_TRUST: "1" };
const TIMEOUT = 120_000;
const TURNS = ["end_turn", "end_turn", "end_turn"];

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/interview.yaml"]);
});
afterEach(() => house.leave());

/** The log of a run that was allowed once, answered once, and ended by an empty answer. */
function expectDone(session: string): void {
  const rows = storedRows(house.store, session);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  const told = rows.flatMap((row) => {
    if (row.type === "permission.resolved") return [row.payload.outcome];
    if (row.type === "input.answered") return [row.payload.text];
    return row.type === "run.completed" ? [row.payload.status] : [];
  });
  expect(told).toEqual(["selected", "Ann", "", "completed"]);
}

test(
  "acpx runs it through the bridge",
  async () => {
    const server = await startServer(house, [], TRUST);
    const acpx = new Taped(house, [process.execPath, PROGRAM, "acp", "connect", "--stdio", server.url]);
    const run = async (input: string | null, ...args: string[]): Promise<void> => {
      const started = acpx.start(...args);
      started.child.stdin.end(input ?? "");
      expect({ ...(await started.ended), stderr: started.stderr }).toMatchObject({ code: 0, signal: null });
      expect([process.pid, server.pid]).not.toContain(started.child.pid);
    };
    await run(null, "sessions", "new", "--name", "one");
    await run(null, "prompt", "-s", "one", "/interview");
    await run(null, "prompt", "-s", "one", "Ann");
    // acpx refuses an empty prompt, but sends an empty block.
    await run('[{"type":"text","text":""}]', "prompt", "-s", "one");
    await run(null, "sessions", "close", "one");
    await acpx.recorded((all) => all.every(({ ended }) => ended !== null));

    const wires = acpx.wires();
    expect(wires.map(({ sent }) => faultsOf(sent))).toEqual(wires.map(() => []));
    expect(wires.map(({ ended }) => ended)).toEqual(wires.map(() => 0));
    const said = wires.flatMap(answers);
    expect(said.flatMap((one) => ("stopReason" in one ? [one.stopReason] : []))).toEqual(TURNS);
    expect(wires.map(({ sent }) => saidIn(sent)).join("")).toContain("The interview is over.");
    const [session = ""] = new Set(wires.flatMap((wire) => requests(wire, "session/prompt")).map((p) => p.sessionId));
    expectDone(session);
    expect(server.process.child.exitCode).toBeNull();
  },
  TIMEOUT,
);

test("the SDK's client runs it on its own socket stream", async () => {
  const server = await startServer(house, [], TRUST);
  expect(server.pid).not.toBe(process.pid);
  const updates: SessionUpdate[] = [];
  const asked: string[] = [];
  const app = acpClient({ name: "far" })
    .onRequest(methods.client.session.requestPermission, ({ params: { options, toolCall } }) => {
      asked.push(toolCall.title ?? "");
      return {
        outcome: { outcome: "selected", optionId: options.find((o) => o.kind === "allow_once")?.optionId ?? "" },
      };
    })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update));
  const stream = createWebSocketStream(server.url, { WebSocket });
  const session = await app.connectWith(stream, async (agent) => {
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: house.cwd, mcpServers: [] });
    for (const text of ["/interview", "Ann", ""]) {
      const prompt = [{ type: "text" as const, text }];
      const answer = await agent.request(methods.agent.session.prompt, { sessionId, prompt });
      expect(answer).toMatchObject({ stopReason: "end_turn" });
    }
    return sessionId;
  });
  expect(asked).toHaveLength(1);
  const words = updates.flatMap((one) =>
    one.sessionUpdate === "agent_message_chunk" && one.content.type === "text" ? [one.content.text] : [],
  );
  expect(words.join("")).toContain("The interview is over.");
  expectDone(session);
});
