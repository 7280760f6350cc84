/** The scripted model server, an MCP server and an agent's memory, made anew for each test of the file that takes them from here. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { AgentEvent, AgentMemory } from "../../../../actors/agents/agent.ts";
import { openaiCompatible } from "../../../../actors/agents/openai_compatible/openai_compatible.ts";
import { Masking } from "../../../../actors/masking/masking.ts";
import { openMemory } from "../../../../actors/memory/memory.ts";
import { conversationsIn } from "../../../support/kept.ts";
import { MCP_ECHO, ModelServer } from "../../../support/model-server/model-server.ts";
import { hear, joined } from "../fake-program.ts";
import { passingClock } from "../understudy/support.ts";

const IDS = ["chat-1", "chat-2", "chat-3", "chat-4"];
export let server: ModelServer;
export let folder: string;
export let memory: AgentMemory;
export let clock: ReturnType<typeof passingClock>;
beforeAll(async () => {
  server = await ModelServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.reset();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "troupe-openai-")));
  memory = openMemory(conversationsIn(join(folder, "conversations.db")), new Masking()).of("session/a");
  clock = passingClock();
  return () => rmSync(folder, { recursive: true });
});

type Over = Parameters<typeof hear>[1] & {};
export const STUB = {
  name: "stub",
  transport: "stdio" as const,
  command: process.execPath,
  args: [MCP_ECHO],
  env: { MCP_MARK: "m1" },
};
/** A turn of the provider against the scripted model. */
export function play(over: Over = {}, signal?: AbortSignal) {
  const ids = [...IDS];
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "sk-local", PATH: process.env["PATH"] ?? "" };
  const agent = openaiCompatible(clock, () => ids.shift() ?? "");
  const given = { cwd: folder, env, memory, mcpServers: [STUB], ...over, options: { model: "m", ...over.options } };
  return hear(agent, given, signal);
}

export const told = (heard: readonly AgentEvent[]): AgentEvent[] =>
  joined(heard.filter(({ type }) => type !== "conversation"));
export const text = (said: string): AgentEvent => ({ type: "text", text: said });

/** A server of one answer after the other, on a socket of its own. */
export async function serving(...answers: RequestListener[]) {
  const http = createServer((request, response) => (answers.shift() ?? answers[0])?.(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
  const close = () => {
    http.closeAllConnections();
    http.close();
  };
  return { env: { OPENAI_BASE_URL: url, PATH: process.env["PATH"] ?? "" }, close };
}
export const sse = (...pieces: object[]): string =>
  pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join("");
export const saying = (content: string, finish_reason: string | null = "stop") =>
  sse({ choices: [{ delta: { content }, finish_reason }] });
export const streamed =
  (body: string): RequestListener =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(body);
  };
