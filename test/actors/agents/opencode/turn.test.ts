/** A turn of the program: its conversation, requests that fail, and its end. */
import { describe, expect, it, test } from "vitest";
import { opencode } from "../../../../actors/agents/opencode/opencode.ts";
import { type FakeProcess, fakeProgram, hear } from "../fake-program.ts";
import { HELLO, plays, read, run } from "./played.ts";

const SESSION = "ses_dff80952cffegrwrxMEJLJocsn";
const OTHER = "ses_other";
const UNKNOWN = "\u001b[91m\u001b[1mError: \u001b[0mSession not found\n";
const created = (id: string) =>
  `timestamp=2026-01-01T00:00:00.000Z level=INFO run=1 message=created id=${id} slug=a parentID=undefined title=x\n`;
const failed = (message: string, small = false) =>
  `timestamp=2026-01-01T00:00:00.000Z level=ERROR run=1 message="stream error" providerID=p small=${small} agent=build error.error="AI_APICallError: ${message}"\n`;

describe("a conversation", () => {
  it("is reported once, when the program has made it (I1)", async () => {
    const { heard, result } = await run({}, plays("text", 0, created(SESSION)));
    expect(heard).toEqual([
      { type: "conversation", id: SESSION },
      { type: "text", text: HELLO },
    ]);
    expect(result).toEqual({
      status: "completed",
      text: HELLO,
      usage: { inputTokens: 16, outputTokens: 28, totalTokens: 44, cost: { amount: 0, currency: "USD" } },
    });
  });

  it("continues under its id", async () => {
    const { started, heard } = await run({ conversation: SESSION }, plays("resume"));
    expect(started.map(({ options }) => options.argv.at(-1))).toEqual([`--session=${SESSION}`]);
    expect(heard.filter(({ type }) => type === "conversation")).toEqual([]);
  });

  it("is known where the program went on with it, whatever it says beside that", async () => {
    const { started, result } = await run({ conversation: SESSION }, plays("resume", 0, "Session not found: ses_b\n"));
    expect([started.length, result.status]).toEqual([1, "completed"]);
  });

  const unknown = (process: FakeProcess) => {
    process.err(UNKNOWN);
    process.end({ type: "exited", code: 1 });
  };
  it("of an earlier attempt that nothing was written of begins anew", async () => {
    const { started, heard, result } = await run({ conversation: OTHER, attempt: 2 }, unknown, plays("text"));
    expect(started).toHaveLength(2);
    expect(started[1]?.options.argv.some((one) => one.startsWith("--session"))).toBe(false);
    expect(heard.slice(0, 2)).toEqual([
      { type: "notice", severity: "info", message: "nothing was said in the conversation yet; it begins anew" },
      { type: "conversation", id: SESSION },
    ]);
    expect(result.status).toBe("completed");
  });

  test.each([
    ["another step", OTHER, 1, { continues: true, attempt: 2 }],
    ["an earlier turn", OTHER, 1, {}],
    ["nobody", "not a session", 0, { attempt: 2 }],
  ])("of %s must be known", async (_, conversation, starts, over) => {
    const { started, result } = await run({ conversation, ...over }, unknown);
    expect(started).toHaveLength(starts);
    expect(result).toMatchObject({
      status: "failed",
      class: "refused",
      message: expect.stringContaining(conversation),
    });
  });
});

describe("requests that fail (I2)", () => {
  it("are reported, and too many of them end the run", async () => {
    const play = ({ err }: FakeProcess) => {
      for (let i = 0; i < 3; i++) err(failed("Too Many Requests"));
      err(failed("of the title", true));
    };
    const { heard, result, started } = await run({ options: { max_retries: 2 } }, play);
    const retry = (n: number) => ({
      type: "notice",
      severity: "warning",
      message: `the model did not answer (Too Many Requests); retry ${n} of 2`,
    });
    expect(heard).toEqual([retry(1), retry(2)]);
    expect(started[0]?.terminated).toEqual([{}]);
    expect(result).toMatchObject({
      status: "failed",
      class: "rate_limit",
      message: "Too Many Requests (given up after 2 retries)",
    });
  });

  it("are counted anew after an answer", async () => {
    const answers = read("text");
    const play = ({ err, out, end }: FakeProcess) => {
      err(failed("boom"));
      out(answers);
      err(failed("boom"));
      out(answers);
      end({ type: "exited", code: 0 });
    };
    const { result } = await run({ options: { max_retries: 1 } }, play);
    expect(result.status).toBe("completed");
  });
});

describe("an end", () => {
  test.each([
    ["tool-calls", "cut"],
    ["length", "cut"],
    ["content-filter", "refused"],
  ])("with the reason %s is no answer", async (reason, name) => {
    const play = ({ out, end }: FakeProcess) => {
      out(`${JSON.stringify({ type: "step_finish", part: { reason } })}\n`);
      end({ type: "exited", code: 0 });
    };
    expect((await run({}, play)).result).toMatchObject({ status: "failed", class: name });
  });

  it("of a program that is not there says how to install it", async () => {
    const play = ({ end }: FakeProcess) =>
      end({ type: "not started", reason: "command not found", message: "opencode: command not found" } as never);
    expect((await run({}, play)).result).toMatchObject({
      class: "not_found",
      message: "opencode: command not found. Is OpenCode installed (npm install -g opencode-ai)?",
    });
  });

  test.each([
    ["http-401", "auth", "stub-model: scripted HTTP 401. To sign in: `opencode auth login`"],
    ["http-429", "rate_limit", "stub-model: scripted HTTP 429"],
    ["http-500", "network", "stub-model: scripted HTTP 500"],
  ])("of %s is of class %s", async (name, expected, message) => {
    expect((await run({}, plays(name, 1))).result).toMatchObject({ class: expected, message });
  });

  it("by an abort is a cut, with what was said and used (I3)", async () => {
    const controller = new AbortController();
    const program = fakeProgram(({ out }) => {
      out(`${read("text")}${read("sigterm-tool")}`);
      controller.abort();
    });
    const { result } = await hear(opencode({ spawn: program.spawn }), {}, controller.signal);
    expect(program.started[0]?.terminated).toEqual([{}]);
    expect(result).toMatchObject({ class: "cut", message: "OpenCode was stopped.", usage: { totalTokens: 44 } });
    expect(result.text).toMatch(/I will use a tool\.$/);
  });
});
