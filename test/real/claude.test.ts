/** The provider `claude` against the real program and the scripted model server. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../actors/agents/agent.ts";
import { claude } from "../../actors/agents/claude/claude.ts";
import { joined } from "../actors/agents/claude/support.ts";
import { MCP_ECHO, saidTo } from "../support/model-server/model-server.ts";
import { type Over, Place } from "./place.ts";

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterAll(() => place.close());
beforeEach(() => place.server.reset());

const BYPASS = { permission_mode: "bypassPermissions" };
const play = (over: Over) => place.play(claude(), over);
const text = (said: string): AgentEvent => ({ type: "text", text: said });
const calling = text("I will use a tool.");

/** Neighbouring text as one, without the conversation's id, calls numbered. */
function shown(heard: readonly AgentEvent[]): AgentEvent[] {
  const calls = new Map<string, string>();
  const numbered = (call: string): string => {
    if (!calls.has(call)) calls.set(call, `call ${calls.size + 1}`);
    return calls.get(call) ?? call;
  };
  return joined(heard.filter((event) => event.type !== "conversation")).map((event) =>
    event.type === "tool" ? { type: "tool", tool: { ...event.tool, call: numbered(event.tool.call) } } : event,
  );
}
const bash = (command: string): AgentEvent[] => [
  { type: "tool", tool: { call: "call 1", title: "Bash", kind: "execute", status: "pending" } },
  {
    type: "tool",
    tool: { call: "call 1", title: command, kind: "execute", status: "in_progress", input: { command } },
  },
];
const ended = (status: "completed" | "failed", said: string): AgentEvent => ({
  type: "tool",
  tool: { call: "call 1", status, content: [{ type: "text", text: said }] },
});
const conversationOf = (heard: readonly AgentEvent[]): string => {
  const [first] = heard;
  if (first?.type !== "conversation") throw new Error("the first event is not the conversation's id");
  return first.id;
};

describe("a turn", () => {
  it("of text", async () => {
    const { heard, result, left } = await play({ prompt: "Say hello, token=ALPHA" });
    const said =
      "Hello from the stub model, turn 1. You said: Say hello, token=ALPHA. First prompt was: Say hello, token=ALPHA";
    expect(shown(heard)).toEqual([text(said)]);
    expect(heard.filter((event) => event.type === "text").length).toBeGreaterThan(3);
    expect(result).toMatchObject({ status: "completed", text: said, usage: { cost: { currency: "USD" } } });
    expect(result.usage?.inputTokens).toBeGreaterThan(0);
    expect(left).toBe(0);
  });

  it("that thinks and calls a tool", async () => {
    const { heard, result } = await play({ prompt: "[[think]] [[tool:echo hi-from-tool]] Run it", options: BYPASS });
    expect(shown(heard)).toEqual([
      { type: "thought", text: expect.stringContaining("Let me think about this.") },
      calling,
      ...bash("echo hi-from-tool"),
      ended("completed", "hi-from-tool"),
      text("The tool returned: hi-from-tool. All done."),
    ]);
    expect(result.status).toBe("completed");
  });

  it("whose tool fails", async () => {
    const command = "echo oops >&2; exit 3";
    const { heard, result } = await play({ prompt: `[[tool:${command}]] Run it`, options: BYPASS });
    expect(shown(heard)).toEqual([
      calling,
      ...bash(command),
      ended("failed", "Exit code 3\noops"),
      text("The tool returned: Exit code 3\noops. All done."),
    ]);
    expect(result.status).toBe("completed");
  });

  it("whose tool is not allowed", async () => {
    const { heard, result } = await play({ prompt: "[[tool:touch denied.txt]] Run it" });
    const events = shown(heard);
    expect(events.slice(0, 3)).toEqual([calling, ...bash("touch denied.txt")]);
    expect(events[3]).toMatchObject({ type: "tool", tool: { call: "call 1", status: "failed" } });
    expect(events.at(-1)).toEqual({
      type: "notice",
      severity: "warning",
      message: "not allowed: Bash. Allow it with options.allowed_tools or options.permission_mode",
    });
    expect(result.status).toBe("completed");
    expect(existsSync(join(place.cwd, "denied.txt"))).toBe(false);
  });

  it("that edits a file tells the text that was there", async () => {
    const file = join(place.cwd, "edited.txt");
    writeFileSync(file, "alpha\nbeta\n");
    const call = (name: string, input: object): string =>
      `[[call:${name} ${JSON.stringify({ file_path: file, ...input })}]]`;
    const { heard } = await play({
      prompt: `${call("Read", {})} ${call("Edit", { old_string: "beta", new_string: "gamma" })} Go`,
      options: { permission_mode: "acceptEdits" },
    });
    expect(readFileSync(file, "utf8")).toBe("alpha\ngamma\n");
    const contents = heard.flatMap((event) => (event.type === "tool" ? (event.tool.content ?? []) : []));
    expect(contents.filter((block) => block.type === "diff")).toEqual([
      { type: "diff", path: file, oldText: "alpha\nbeta\n", newText: "alpha\ngamma\n" },
    ]);
  });

  it("with a system prompt, appended or alone", async () => {
    await play({ systemPrompt: "SYSTEM-MARK: be brief.", prompt: "one" });
    await play({ systemPrompt: "SYSTEM-MARK: alone.", prompt: "two", options: { system_prompt_mode: "replace" } });
    const [appended, alone] = (await place.server.requests()).map(({ body }) => JSON.stringify(body.system));
    expect(appended).toContain("SYSTEM-MARK: be brief.");
    expect(alone).toContain("SYSTEM-MARK: alone.");
    expect(alone?.length ?? 0).toBeLessThan((appended?.length ?? 0) / 2);
  });

  it("with a tool of an MCP server, which has its environment", async () => {
    const { heard, result } = await play({
      prompt: '[[call:ping {"note":"n1"}]] Call it',
      options: {
        mcp_servers: { stub: { command: process.execPath, args: [MCP_ECHO], env: { MCP_MARK: "m1" } } },
        allowed_tools: ["mcp__stub__ping"],
      },
    });
    expect(shown(heard)).toEqual([
      calling,
      { type: "tool", tool: { call: "call 1", title: "mcp__stub__ping", kind: "other", status: "pending" } },
      {
        type: "tool",
        tool: { call: "call 1", title: "stub: ping", kind: "other", status: "in_progress", input: { note: "n1" } },
      },
      ended("completed", "pong from mcp (n1) env=m1"),
      text("The tool returned: pong from mcp (n1) env=m1. All done."),
    ]);
    expect(result.status).toBe("completed");
  });

  it("that starts a subagent", async () => {
    await place.server.reply(
      {
        text: "I ask.",
        calls: [{ name: "Task", args: { description: "Look", prompt: "Look", subagent_type: "Explore" } }],
      },
      { text: "I look.", calls: [{ name: "Bash", args: { command: "echo below" } }] },
      { text: "Found." },
      { text: "Done." },
    );
    const { heard, result } = await play({ options: BYPASS });
    const titles = heard.flatMap((event) =>
      event.type === "tool" && event.tool.status === "in_progress" ? [event.tool.title] : [],
    );
    expect(titles).toEqual(["Task Look", "echo below"]);
    const ends = heard.flatMap((event) => (event.type === "tool" ? (event.tool.content ?? []).slice(0, 1) : []));
    expect(ends).toEqual([
      { type: "text", text: "below" },
      { type: "text", text: "Found." },
    ]);
    expect(heard.filter((event) => event.type === "unknown")).toEqual([]);
    expect(result).toMatchObject({ status: "completed", text: "Done." });
  });

  it("whose stream is cut is asked for again by the program", async () => {
    const { heard, result } = await play({ prompt: "[[cut]] xcut" });
    const said = "Hello from the stub model, turn 1. You said: xcut. First prompt was: xcut";
    expect(shown(heard)).toEqual([text(said)]);
    expect(result).toMatchObject({ status: "completed", text: said });
  });
});

describe("a conversation", () => {
  it("goes on under its id", async () => {
    const first = await play({ prompt: "token=ALPHA" });
    const id = conversationOf(first.heard);
    const second = await play({ prompt: "token=BETA", conversation: id, continues: true });
    expect(second.result.text).toBe(
      "Hello from the stub model, turn 2. You said: token=BETA. First prompt was: token=ALPHA",
    );
    expect(second.heard.filter((event) => event.type === "conversation")).toEqual([]);
    const last = (await place.server.requests()).at(-1)!;
    expect(saidTo(last)).toContain("token=ALPHA");
    expect(saidTo(last)).toContain("token=BETA");
  });

  it("that nothing was written of begins anew under its id", async () => {
    const id = "5f4dcc3b-0000-4000-8000-000000000001";
    const { heard, result } = await play({ prompt: "again", conversation: id, attempt: 2 });
    expect(heard.slice(0, 2)).toEqual([
      { type: "notice", severity: "info", message: "nothing was said in the conversation yet; it begins anew" },
      { type: "conversation", id },
    ]);
    expect(result.text).toContain("turn 1. You said: again");
  });

  it("of another step that is not known is refused", async () => {
    const id = "5f4dcc3b-0000-4000-8000-000000000002";
    const { heard, result } = await play({ conversation: id, continues: true });
    expect(heard).toEqual([]);
    expect(result).toMatchObject({ status: "failed", class: "refused", message: expect.stringContaining(id) });
    expect(await place.server.requests()).toEqual([]);
  });
});

describe("a failure of the model", () => {
  test.each([
    [401, "auth", 1],
    [403, "auth", 0],
    [429, "rate_limit", 1],
    [500, "network", 1],
    [529, "overloaded", 1],
  ])("%i is of class %s, after %i retry of the program's own", async (status, name, retries) => {
    const { heard, result, left } = await play({ prompt: `[[error:${status}]] x${status}` });
    const message = expect.stringContaining(`the model's answer was ${status}`);
    expect(shown(heard)).toEqual(Array(retries).fill({ type: "notice", severity: "warning", message }));
    expect(result).toMatchObject({ status: "failed", class: name, message: expect.stringContaining(`${status}`) });
    expect(left).toBe(0);
  });

  it("that passes is told as a notice", async () => {
    const { heard, result } = await play({ prompt: "[[error:429x1]] passes" });
    expect(shown(heard)[0]).toMatchObject({ type: "notice", message: expect.stringContaining("429 (rate_limit)") });
    expect(result.status).toBe("completed");
  });

  it("nobody answers", async () => {
    const { result } = await play({ options: { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } } });
    expect(result).toMatchObject({ status: "failed", class: "network" });
  });

  it("nobody is logged in", async () => {
    const { result } = await play({ options: { env: { ANTHROPIC_API_KEY: "" } } });
    expect(result).toMatchObject({ status: "failed", class: "auth" });
  });
});

describe("a cancel", () => {
  const CUT = { status: "failed", class: "cut", message: "Claude Code was stopped." };

  it("while a tool sleeps leaves nothing", async () => {
    const { heard, result, left } = await play({
      prompt: "[[tool:sleep 37]] Run it",
      options: BYPASS,
      until: (event) => event.type === "tool" && event.tool.status === "in_progress",
    });
    expect(result).toMatchObject(CUT);
    expect(shown(heard).slice(0, 3)).toEqual([calling, ...bash("sleep 37")]);
    expect(left).toBe(0);
  });

  it("while it speaks leaves nothing", async () => {
    const { result, left } = await play({ prompt: "[[hang]] Say hello", until: (event) => event.type === "text" });
    expect(result).toMatchObject({ ...CUT, text: "Hello from the s" });
    expect(left).toBe(0);
  });

  it("and the conversation can go on", async () => {
    const first = await play({ prompt: "[[hang]] token=GAMMA", until: (event) => event.type === "text" });
    const second = await play({ prompt: "again", conversation: conversationOf(first.heard), attempt: 2 });
    expect(second.result.text).toContain("turn 2. You said: again. First prompt was: token=GAMMA");
  });
});

describe("a program that cannot run", () => {
  it("is not there", async () => {
    const { result } = await play({ env: { PATH: place.home, HOME: place.home } });
    expect(result).toMatchObject({
      status: "failed",
      class: "crashed",
      message: expect.stringContaining("npm install -g @anthropic-ai/claude-code"),
    });
  });

  it.runIf(process.getuid?.() === 0)("refuses root without a sandbox", async () => {
    const { result } = await play({ options: { ...BYPASS, env: { IS_SANDBOX: "" } } });
    expect(result).toMatchObject({
      status: "failed",
      class: "refused",
      message: expect.stringContaining("IS_SANDBOX=1"),
    });
  });
});
