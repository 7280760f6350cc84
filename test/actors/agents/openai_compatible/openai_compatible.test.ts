/** The provider against the scripted model server and a real MCP server, each a process of its own. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ToolQuestion } from "../../../../actors/agents/agent.ts";
import { openaiCompatible } from "../../../../actors/agents/openai_compatible/openai_compatible.ts";
import { saidTo, systemOf } from "../../../support/model-server/model-server.ts";
import { hear } from "../fake-program.ts";
import { clock, folder, memory, play, STUB, saying, server, serving, sse, streamed, text, told } from "./stage.ts";

const allowed: ToolQuestion[] = [];
const allow = async (question: ToolQuestion) => {
  allowed.push(question);
  return { allowed: true } as const;
};
const HELLO = (turn: number, said: string, first = said) =>
  `Hello from the stub model, turn ${turn}. You said: ${said}. First prompt was: ${first}`;

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
      { type: "text", text: "The arguments are no JSON object: {" },
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
