import { describe, expect, it } from "vitest";
import type { AgentRequest } from "../../../../actors/agents/agent.ts";
import { fakeClaude, joined, plays, recording, request, run, UUID } from "./support.ts";

const NOTHING = "unknown-conversation";
const said = (text: string) => ({ type: "text" as const, text });
const tokens = { inputTokens: 1717, outputTokens: 28, totalTokens: 1745, used: 1745, size: 200_000 };
const usage = { ...tokens, cost: { amount: 0.005571, currency: "USD" } };
const HELLO =
  "Hello from the stub model, turn 1. You said: Say hello, token=ALPHA. First prompt was: Say hello, token=ALPHA";

describe("a new conversation (I1)", () => {
  it("is reported under our id before the program starts, and comes to its result", async () => {
    const order: string[] = [];
    const fake = fakeClaude((process) => {
      order.push("started");
      plays("text")(process);
    });
    const result = await fake.agent(
      request({ cwd: "/home/dev/work" }),
      (event) => order.push(event.type),
      new AbortController().signal,
    );
    expect(order.slice(0, 3)).toEqual(["conversation", "started", "conversation"]);
    expect(result).toEqual({ status: "completed", text: HELLO, usage });
    expect(fake.started[0]?.options.argv.at(-1)).toBe(`--session-id=${UUID}`);
  });

  it("is not told again when the program repeats its id", async () => {
    const text = recording("text").replaceAll("1c4de03f-cf83-408a-adfe-f5560879708d", UUID);
    const fake = fakeClaude((process) => {
      process.out(text);
      process.end({ type: "exited", code: 0 });
    });
    const { heard } = await run(fake);
    expect(joined(heard)).toEqual([{ type: "conversation", id: UUID }, said(HELLO)]);
  });
});

it("keeps our id where the program names none", async () => {
  const text = recording("text").replaceAll("1c4de03f-cf83-408a-adfe-f5560879708d", "");
  const fake = fakeClaude((process) => {
    process.out(text);
    process.end({ type: "exited", code: 0 });
  });
  const { heard } = await run(fake);
  expect(joined(heard)).toEqual([{ type: "conversation", id: UUID }, said(HELLO)]);
});

describe("a conversation that continues", () => {
  const id = "1c4de03f-cf83-408a-adfe-f5560879708d";

  it("is resumed by its id", async () => {
    const fake = fakeClaude(plays("resume"));
    const { heard } = await run(fake, { conversation: id });
    expect(fake.started.map(({ options }) => options.argv.at(-1))).toEqual([`--resume=${id}`]);
    expect(joined(heard)).toEqual([
      said(
        "Hello from the stub model, turn 2. You said: And the second turn, token=BETA. First prompt was: Say hello, token=ALPHA",
      ),
    ]);
  });

  it("begins anew under the same id when an earlier attempt was cut off before anything was written", async () => {
    const fake = fakeClaude(plays(NOTHING, 1), plays("text"));
    const { heard, result } = await run(fake, { conversation: id, attempt: 2 });
    expect(fake.started.map(({ options }) => options.argv.at(-1))).toEqual([`--resume=${id}`, `--session-id=${id}`]);
    expect(joined(heard)).toEqual([
      { type: "notice", severity: "info", message: "nothing was said in the conversation yet; it begins anew" },
      { type: "conversation", id },
      said(HELLO),
    ]);
    expect(result.status).toBe("completed");
  });

  it.each([
    ["another step", id, 1, { continues: true }],
    ["another step, in a later attempt", id, 1, { continues: true, attempt: 2 }],
    ["an earlier turn", id, 1, {}],
    ["whatever has no id of ours", "not-a-uuid", 0, { attempt: 2 }],
  ])("of %s must be known", async (_, conversation, starts, over) => {
    const fake = fakeClaude(plays(NOTHING, 1));
    const { heard, result } = await run(fake, { conversation, ...over });
    expect(fake.started).toHaveLength(starts);
    expect(heard).toEqual([]);
    expect(result).toEqual({
      status: "failed",
      class: "refused",
      message: `Claude Code does not know the conversation "${conversation}" in /home/dev/work: it keeps conversations per folder, below CLAUDE_CONFIG_DIR. Run the step that began it again`,
      text: "",
      usage: null,
    });
  });
});

describe("the program", () => {
  it("is started in the step's folder, with the environment and the marker it was given", async () => {
    const fake = fakeClaude(plays("text"));
    const given: Partial<AgentRequest> = {
      env: { PATH: "/bin", ANTHROPIC_API_KEY: "k" },
      marker: { TROUPE_SCOPE: "s" },
      options: { env: { CLAUDE_CODE_MAX_RETRIES: 1 } },
    };
    await run(fake, given);
    expect(fake.started[0]?.options).toMatchObject({
      cwd: "/home/dev/work",
      env: { PATH: "/bin", ANTHROPIC_API_KEY: "k", CLAUDE_CODE_MAX_RETRIES: "1" },
      marker: { TROUPE_SCOPE: "s" },
      stdin: "pipe",
    });
  });

  it("keeps its standard input until the result (I2)", async () => {
    const states: boolean[] = [];
    const fake = fakeClaude((process) => {
      const lines = recording("text").trimEnd().split("\n");
      for (const line of lines) {
        process.out(`${line}\n`);
        states.push(process.stdinEnded);
      }
      process.end({ type: "exited", code: 0 });
    });
    await run(fake);
    expect(states).toEqual([...states.slice(1).map(() => false), true]);
  });

  it("is not started for an option that is wrong", async () => {
    const fake = fakeClaude();
    await expect(run(fake, { options: { modle: "x" } })).rejects.toMatchObject({ code: "USER.AGENT.INVALID_OPTION" });
    expect(fake.started).toEqual([]);
  });

  it("that refuses the system prompt is stopped before it answers", async () => {
    const fake = fakeClaude((process) =>
      process.out('{"type":"control_response","response":{"subtype":"error","error":"no such request"}}\n'),
    );
    const { result } = await run(fake, { systemPrompt: "Be kind." });
    expect(fake.started[0]?.terminated).toEqual([{ first: "SIGINT" }]);
    expect(result).toMatchObject({
      class: "refused",
      message: "Claude Code did not take the system prompt: no such request",
    });
  });

  it("that says a line without an end is read on, and told", async () => {
    const fake = fakeClaude((process) => {
      process.out("x".repeat(10 * 1024 * 1024 + 1));
      process.out("\n");
      plays("text")(process);
    });
    const { heard, result } = await run(fake);
    expect(heard[1]).toEqual({
      type: "notice",
      severity: "warning",
      message: "a line of more than 10 MiB was dropped",
    });
    expect(result.status).toBe("completed");
  });

  it.each([
    ["too long", "x".repeat(10 * 1024 * 1024)],
    ["nested too deep", `", "structured_output":${"[".repeat(200)}${"]".repeat(200)}}`],
  ])("that gives a result which is %s ends, and its step with it (I2)", async (_, rest) => {
    const fake = fakeClaude((process) => {
      process.out('{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"One."}]}}\n');
      process.out(`{"type":"result","is_error":false,"result":"${rest}\n`);
      if (process.stdinEnded) process.end({ type: "exited", code: 0 });
    });
    const { result } = await run(fake);
    const message = "Claude Code gave a result that cannot be read: it has more than 10 MiB, or is nested too deep";
    expect(result).toEqual({ status: "failed", class: "cut", message, text: "One.", usage: null });
  });
});

describe("an abort (I3)", () => {
  it("sends SIGINT first, passes on the program's last words, and settles after its end", async () => {
    const controller = new AbortController();
    const fake = fakeClaude((process) => {
      const lines = recording("sigint-tool").split("\n");
      const at = lines.findIndex((line) => line.startsWith('{"type":"user"'));
      process.out(`${lines.slice(0, at).join("\n")}\n`);
      controller.abort();
      process.out(lines.slice(at).join("\n"));
    });
    const { heard, result } = await run(fake, {}, controller.signal);
    expect(fake.started[0]?.terminated).toEqual([{ first: "SIGINT" }]);
    expect(heard.at(-1)).toMatchObject({ type: "tool", tool: { call: "toolu_stub000004", status: "failed" } });
    expect(result).toEqual({
      status: "failed",
      class: "cut",
      message: "Claude Code was stopped.",
      text: "I will use a tool.",
      usage: expect.objectContaining({ totalTokens: 1739, cost: { amount: 0.005481, currency: "USD" } }),
    });
  });

  it("before the start starts nothing", async () => {
    const controller = new AbortController();
    controller.abort();
    const fake = fakeClaude();
    const { heard, result } = await run(fake, {}, controller.signal);
    expect([heard, fake.started, result.status]).toEqual([[], [], "failed"]);
  });
});

describe("its environment", () => {
  it("takes keys, endpoints and settings of the user's", () => {
    expect(fakeClaude().agent.environment).toEqual({
      names: ["IS_SANDBOX", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING"],
      prefixes: ["ANTHROPIC_", "CLAUDE_"],
    });
  });
});
