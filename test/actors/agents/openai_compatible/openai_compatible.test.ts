/** The provider against the scripted model server and a real MCP server, each a process of its own. */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { AgentEvent, AgentMemory, ToolQuestion } from "../../../../actors/agents/agent.ts";
import { openaiCompatible } from "../../../../actors/agents/openai_compatible/openai_compatible.ts";
import { Masking } from "../../../../actors/masking/masking.ts";
import { openMemory } from "../../../../actors/memory/memory.ts";
import { answersTheDeaf } from "../../../support/deaf.ts";
import { conversationsIn } from "../../../support/kept.ts";
import { MCP_ECHO, ModelServer, saidTo, systemOf } from "../../../support/model-server/model-server.ts";
import { hear, joined } from "../fake-program.ts";
import { passingClock, request } from "../understudy/support.ts";

const IDS = ["chat-1", "chat-2", "chat-3", "chat-4"];
let server: ModelServer;
let folder: string;
let memory: AgentMemory;
let clock: ReturnType<typeof passingClock>;
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
const STUB = {
  name: "stub",
  transport: "stdio" as const,
  command: process.execPath,
  args: [MCP_ECHO],
  env: { MCP_MARK: "m1" },
};
function play(over: Over = {}, signal?: AbortSignal) {
  const ids = [...IDS];
  const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "sk-local", PATH: process.env["PATH"] ?? "" };
  const agent = openaiCompatible(clock, () => ids.shift() ?? "");
  const given = { cwd: folder, env, memory, mcpServers: [STUB], ...over, options: { model: "m", ...over.options } };
  return hear(agent, given, signal);
}
const allowed: ToolQuestion[] = [];
const allow = async (question: ToolQuestion) => {
  allowed.push(question);
  return { allowed: true } as const;
};
const HELLO = (turn: number, said: string, first = said) =>
  `Hello from the stub model, turn ${turn}. You said: ${said}. First prompt was: ${first}`;
const told = (heard: readonly AgentEvent[]): AgentEvent[] =>
  joined(heard.filter(({ type }) => type !== "conversation"));
const text = (said: string): AgentEvent => ({ type: "text", text: said });
const CUT = { status: "failed", class: "cut", message: "The agent was stopped." };

/** A server of one answer after the other, on a socket of its own. */
async function serving(...answers: RequestListener[]) {
  const http = createServer((request, response) => (answers.shift() ?? answers[0])?.(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
  const close = () => {
    http.closeAllConnections();
    http.close();
  };
  return { env: { OPENAI_BASE_URL: url, PATH: process.env["PATH"] ?? "" }, close };
}
const sse = (...pieces: object[]): string => pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join("");
const saying = (content: string, finish_reason: string | null = "stop") =>
  sse({ choices: [{ delta: { content }, finish_reason }] });
const streamed =
  (body: string): RequestListener =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(body);
  };

describe("a turn", () => {
  it("of text, in pieces, under an id that is reported first (I1)", async () => {
    const { heard, result } = await play({ prompt: "hi", systemPrompt: "SYSTEM-MARK" });
    expect(heard[0]).toEqual({ type: "conversation", id: "chat-1" });
    expect(heard.filter(({ type }) => type === "text").length).toBeGreaterThan(3);
    expect(told(heard)).toEqual([text(HELLO(1, "hi"))]);
    expect(result).toMatchObject({ status: "completed", text: HELLO(1, "hi") });
    expect(result.usage?.inputTokens).toBeGreaterThan(0);
    const [request] = await server.requests();
    expect(systemOf(request!)).toContain("SYSTEM-MARK");
    expect(request?.body).toMatchObject({ model: "m", stream: true, stream_options: { include_usage: true } });
  });

  it("that thinks and calls a tool of an MCP server, which a person allows", async () => {
    allowed.length = 0;
    const { heard, result } = await play({ prompt: '[[think]] [[call:ping {"note":"n1"}]] Call it', ask: allow });
    const call = heard.find((event) => event.type === "tool")?.tool.call;
    const said = "pong from mcp (n1) env=m1";
    expect(told(heard)).toEqual([
      { type: "thought", text: expect.stringContaining("Let me think") },
      text("I will use a tool."),
      { type: "tool", tool: { call, title: "stub__ping", kind: "other", status: "pending" } },
      {
        type: "tool",
        tool: { call, title: "stub: ping", kind: "other", status: "in_progress", input: { note: "n1" } },
      },
      { type: "tool", tool: { call, status: "completed", content: [{ type: "text", text: said }] } },
      text(`The tool returned: ${said}. All done.`),
    ]);
    expect(allowed).toEqual([{ name: "stub__ping", kind: "other", input: { note: "n1" }, title: "stub: ping" }]);
    expect(result).toMatchObject({ status: "completed", text: `The tool returned: ${said}. All done.` });
  });

  it("whose tool is refused continues without it, or stops", async () => {
    const prompt = '[[call:ping {"note":"n1"}]] Call it';
    const refuse = (abort: boolean) => async () => ({ allowed: false, message: "No.", abort }) as const;
    const first = await play({ prompt, ask: refuse(false) });
    expect(first.heard.at(-6)).toBeDefined();
    expect(first.heard.filter((event) => event.type === "tool").at(-1)).toMatchObject({
      tool: { status: "failed", content: [{ type: "text", text: "No." }] },
    });
    expect(first.result).toMatchObject({ status: "completed", text: "The tool returned: No.. All done." });
    expect((await play({ prompt, ask: refuse(true) })).result).toMatchObject({ status: "failed", class: "refused" });
  });

  it("whose tool is not there, or is called with no JSON, tells the model so", async () => {
    const call = (name: string, args: string) =>
      sse({
        choices: [
          {
            delta: { tool_calls: [{ index: 0, id: name, function: { name, arguments: args } }] },
            finish_reason: "tool_calls",
          },
        ],
      });
    const http = await serving(
      streamed(call("nothing", "{}")),
      streamed(call("stub__ping", "{")),
      streamed(saying("Done")),
    );
    const { heard, result } = await play({ env: http.env, ask: allow });
    http.close();
    const ends = heard.flatMap((event) => (event.type === "tool" ? (event.tool.content ?? []) : []));
    expect(ends).toEqual([
      { type: "text", text: 'There is no tool "nothing".' },
      { type: "text", text: "The arguments are no JSON object." },
    ]);
    expect(result.status).toBe("completed");
  });

  it("gets at most max_rounds answers (I3)", async () => {
    const prompt = '[[call:ping {"note":"1"}]] [[call:ping {"note":"2"}]] go';
    const { result } = await play({ prompt, ask: allow, options: { max_rounds: 2 } });
    expect(result).toMatchObject({ status: "failed", class: "cut", message: expect.stringContaining("2 answers") });
  });

  it("whose MCP server cannot be started fails", async () => {
    const { result } = await play({ mcpServers: [{ ...STUB, command: join(folder, "nothing") }] });
    expect(result).toMatchObject({ status: "failed", class: "crashed", message: expect.stringContaining('"stub"') });
  });
});

describe("a conversation", () => {
  it("is continued by a step with a copy of it (I2)", async () => {
    await play({ prompt: "token=ALPHA", systemPrompt: "SYSTEM-MARK" });
    const id = "chat-1";
    const ids = ["chat-8"];
    const agent = openaiCompatible(clock, () => ids.shift() ?? "");
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, PATH: process.env["PATH"] ?? "" };
    const over = { cwd: folder, env, memory, mcpServers: [STUB], options: { model: "m" } };
    const { heard, result } = await hear(agent, { ...over, prompt: "token=BETA", conversation: id, continues: true });
    expect(heard[0]).toEqual({ type: "conversation", id: "chat-8" });
    expect(result.text).toBe(HELLO(2, "token=BETA", "token=ALPHA"));
    expect(await memory.read(id)).toHaveLength(3);
    expect(await memory.read("chat-8")).toHaveLength(5);
    const last = (await server.requests()).at(-1)!;
    expect(saidTo(last)).toContain("token=ALPHA");
    expect(systemOf(last)).toContain("SYSTEM-MARK");
  });

  it("continues turn by turn under its id", async () => {
    await play({ prompt: "one" });
    const { heard, result } = await play({ prompt: "two", conversation: "chat-1" });
    expect(heard.filter(({ type }) => type === "conversation")).toEqual([]);
    expect(result.text).toBe(HELLO(2, "two", "one"));
  });

  it("that is not known is refused", async () => {
    for (const over of [{ continues: true, attempt: 2 }, {}]) {
      const { heard, result } = await play({ conversation: "chat-9", ...over });
      expect([heard, result.status]).toEqual([[], "failed"]);
      expect(result).toMatchObject({ class: "refused", message: expect.stringContaining("chat-9") });
    }
    expect(await server.requests()).toEqual([]);
  });

  it("that a crash cut off continues from what was said: no prompt twice, no call without a result (I1)", async () => {
    const calls = [{ id: "c1", type: "function", function: { name: "stub__ping", arguments: "{}" } }];
    const user = { role: "user", content: "again" };
    await memory.add("chat-5", [user]);
    const first = await play({ prompt: "again", conversation: "chat-5", attempt: 2 });
    expect(first.result.text).toBe(HELLO(1, "again"));
    await memory.add("chat-6", [user, { role: "assistant", content: null, tool_calls: calls }]);
    await play({ prompt: "again", conversation: "chat-6", attempt: 2 });
    expect((await server.requests()).at(-1)?.body.messages).toEqual([
      user,
      { role: "assistant", content: null, tool_calls: calls },
      { role: "tool", tool_call_id: "c1", content: "The call was interrupted; what it did is not known." },
      user,
    ]);
  });
});

describe("a failure of the model", () => {
  test.each([
    [401, "auth", 0],
    [429, "rate_limit", 2],
    [500, "network", 2],
    [529, "overloaded", 2],
  ])("%i is of class %s after %i retries, each told", async (status, name, retries) => {
    const { heard, result } = await play({ prompt: `[[error:${status}]] x`, options: { max_retries: 2 } });
    expect(result).toMatchObject({
      status: "failed",
      class: name,
      message: expect.stringContaining(`${status} (stub-model`),
    });
    expect(heard.filter(({ type }) => type === "notice")).toHaveLength(retries);
    expect((await server.requests()).map((request) => request.status)).toEqual(Array(retries + 1).fill(status));
    // The server asks for 1 s; without that the pauses grow.
    if (retries > 0) expect(clock.slept).toEqual(status === 429 ? [1000, 1000] : [1000, 2000]);
  });

  it("that passes is reported, with its pause", async () => {
    const { heard, result } = await play({ prompt: "[[error:429x1]] passes" });
    expect(told(heard)[0]).toEqual({
      type: "notice",
      severity: "warning",
      message: "the model's answer was 429 (stub-model: scripted HTTP 429); retry 1 of 3 in 1.0 s",
    });
    expect(result.status).toBe("completed");
  });

  it("that asks for a long pause ends the step at once, and says for how long", async () => {
    const busy: RequestListener = (_, response) => {
      response.writeHead(429, {
        "retry-after": "Wed, 01 Jan 2031 01:00:00 GMT",
        date: "Wed, 01 Jan 2031 00:00:00 GMT",
      });
      response.end("{}");
    };
    const http = await serving(busy);
    const { result } = await play({ env: http.env });
    http.close();
    expect(result).toMatchObject({ class: "rate_limit", message: expect.stringContaining("a pause of 3600.0 s") });
    expect(clock.slept).toEqual([]);
  });

  it("that is a list of one is told by its words", async () => {
    const http = await serving((_, response) => {
      response.writeHead(400).end(JSON.stringify([{ error: { code: 400, message: "no such model" } }]));
    });
    const { result } = await play({ env: http.env });
    http.close();
    expect(result).toMatchObject({ status: "failed", message: "the model's answer was 400 (no such model)" });
  });

  it("whose words never end is told by their beginning", async () => {
    const http = await serving((request, response) => {
      response.writeHead(400);
      const more = () => response.write("x".repeat(65_536), () => void (request.destroyed || setImmediate(more)));
      more();
    });
    const { result } = await play({ env: http.env, options: { idle_seconds: 10_000_000 } });
    http.close();
    expect(result).toMatchObject({ status: "failed", message: `the model's answer was 400 (${"x".repeat(500)})` });
  });

  it("in the middle of an answer is a cut, and it is not asked for again", async () => {
    const http = await serving(streamed(saying("Hel", null)), streamed(saying("Hello")));
    const { heard, result } = await play({ env: http.env });
    http.close();
    expect(told(heard)).toEqual([text("Hel")]);
    expect(result).toMatchObject({ status: "failed", class: "cut", text: "Hel" });
  });

  it("before anything was said is asked again", async () => {
    const http = await serving((_, response) => response.destroy(), streamed(saying("Hello")));
    const { heard, result } = await play({ env: http.env });
    http.close();
    expect(told(heard).map(({ type }) => type)).toEqual(["notice", "text"]);
    expect(result).toMatchObject({ status: "completed", text: "Hello" });
  });

  test.each([
    ["length", "cut"],
    ["MAX_TOKENS", "cut"],
    ["content_filter", "refused"],
    ["error", "cut"],
    ["abort", "cut"],
    ["insufficient_system_resource", "overloaded"],
  ])("an answer that ends with %s is of class %s", async (reason, name) => {
    const http = await serving(streamed(saying("Hel", reason)));
    const { result } = await play({ env: http.env });
    http.close();
    expect(result).toMatchObject({ status: "failed", class: name, text: "Hel" });
  });

  it("an answer ends with [DONE], also where the server leaves the connection open", async () => {
    const http = await serving((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`${saying("Hello", "stop")}data: [DONE]\n\n`);
    });
    const { result } = await play({ env: http.env, options: { idle_seconds: 10_000_000 } });
    http.close();
    expect(result).toMatchObject({ status: "completed", text: "Hello" });
  });

  it("a pause that was told is passed on where no retry is left (I2)", async () => {
    const busy: RequestListener = (_, response) => void response.writeHead(429, { "retry-after": "3" }).end("{}");
    const http = await serving(busy, busy);
    const { heard, result } = await play({ env: http.env, options: { max_retries: 1 } });
    http.close();
    expect(heard.filter(({ type }) => type === "limited")).toEqual([{ type: "limited", pause: { afterMs: 3000 } }]);
    expect([result, clock.slept]).toMatchObject([{ class: "rate_limit" }, [3000]]);
  });

  it("a server that says nothing is given up", async () => {
    const http = await serving((_, response) => void response.writeHead(200).flushHeaders());
    const { result } = await play({ env: http.env, options: { idle_seconds: 0.05 } });
    http.close();
    expect(result).toMatchObject({ status: "failed", class: "timeout", message: expect.stringContaining("0.05 s") });
  });

  it("what a server said while the process stood still is heard before it is given up", async () => {
    const answer = { type: "text/event-stream", first: saying("Hel", null), last: `${saying("lo")}data: [DONE]\n\n` };
    const env = { OPENAI_BASE_URL: await answersTheDeaf(1_500, answer), PATH: process.env["PATH"] ?? "" };
    const { result } = await play({ env, options: { idle_seconds: 0.3 } });
    expect(result).toMatchObject({ status: "completed", text: "Hello" });
  });

  it("a redirect is not followed: the key would go along", async () => {
    const http = await serving(
      (_, response) => void response.writeHead(307, { location: `${server.url}/v1/chat/completions` }).end(),
    );
    const { result } = await play({ env: { ...http.env, OPENAI_API_KEY: "sk-x" }, options: { max_retries: 0 } });
    http.close();
    const { origin } = new URL(http.env.OPENAI_BASE_URL);
    const message = expect.stringContaining(`no whole answer from the model at ${origin} (`);
    expect(result).toMatchObject({ status: "failed", class: "network", message });
    expect(await server.requests()).toEqual([]);
  });

  it("without a key says where one goes", async () => {
    const http = await serving((_, response) => void response.writeHead(401).end());
    const { result } = await play({ options: { base_url: http.env.OPENAI_BASE_URL } });
    http.close();
    expect(result).toMatchObject({ class: "auth", message: expect.stringContaining("options.api_key") });
  });
});

describe("a cancel (I3)", () => {
  it("while it speaks ends the request", async () => {
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    const http = await serving((_, response) => {
      response.on("close", leave);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(saying("Hello", null));
    });
    const controller = new AbortController();
    const agent = openaiCompatible(clock, () => "chat-1");
    const stop = (event: AgentEvent) => (event.type === "text" ? controller.abort() : undefined);
    const given = request({ cwd: folder, env: http.env, memory, options: { model: "m" } });
    const result = await agent(given, stop, controller.signal);
    await gone;
    http.close();
    expect(result).toMatchObject(CUT);
  });

  it("while a tool works ends the tool's server, and the conversation can continue", async () => {
    const slow = join(folder, "slow.mjs");
    writeFileSync(slow, SLOW_SERVER);
    const controller = new AbortController();
    const mcpServers = [{ ...STUB, args: [slow], env: { STARTED: join(folder, "started") } }];
    const ask = async () => {
      setImmediate(() => controller.abort());
      return { allowed: true } as const;
    };
    const { result } = await play({ prompt: "[[call:wait {}]] go", mcpServers, ask }, controller.signal);
    expect(result).toMatchObject(CUT);
    expect(existsSync(join(folder, "ended"))).toBe(false);
    const second = await play({ prompt: "and now", conversation: "chat-1", attempt: 2 });
    expect(second.result.status).toBe("completed");
  });

  it("before the start asks no one", async () => {
    const controller = new AbortController();
    controller.abort();
    const { heard, result } = await play({}, controller.signal);
    expect([heard, result.status]).toEqual([[], "failed"]);
  });
});

/** An MCP server whose one tool never ends. */
const SLOW_SERVER = `import { createInterface } from "node:readline";
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "slow", version: "1" } });
  if (method === "tools/list") answer(id, { tools: [{ name: "wait", inputSchema: { type: "object" } }] });
});
setInterval(() => {}, 1000);
`;
