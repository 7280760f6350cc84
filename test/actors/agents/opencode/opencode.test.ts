import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { opencode } from "../../../../actors/agents/opencode/opencode.ts";
import type { Json } from "../../../../machines/model.ts";
import { type FakeProcess, fakeProgram, hear, recordingsOf } from "../fake-program.ts";

const { plays, read } = recordingsOf("opencode");
const SESSION = "ses_dff80952cffegrwrxMEJLJocsn";
const OTHER = "ses_other";
const HELLO =
  "Hello from the stub model, turn 1. You said: Say hello, token=ALPHA. First prompt was: Say hello, token=ALPHA";
const UNKNOWN = "\u001b[91m\u001b[1mError: \u001b[0mSession not found\n";
const created = (id: string) =>
  `timestamp=2026-01-01T00:00:00.000Z level=INFO run=1 message=created id=${id} slug=a parentID=undefined title=x\n`;
const failed = (message: string, small = false) =>
  `timestamp=2026-01-01T00:00:00.000Z level=ERROR run=1 message="stream error" providerID=p small=${small} agent=build error.error="AI_APICallError: ${message}"\n`;

type Over = Parameters<typeof hear>[1];
async function run(over: Over, ...play: ((process: FakeProcess) => void)[]) {
  const program = fakeProgram(...play);
  return { ...(await hear(opencode({ spawn: program.spawn }), over)), started: program.started };
}
const configOf = ({ options }: FakeProcess): { [name: string]: Json } =>
  JSON.parse(options.env["OPENCODE_CONFIG_CONTENT"] ?? "") as { [name: string]: Json };

describe("the program", () => {
  it("may write more words for people than a text can hold", async () => {
    const line = `${"words ".repeat(175_000)}\n`; // a good mebibyte
    const { result } = await run({}, (process) => {
      for (let written = 0; written < 2 ** 29; written += line.length) process.err(line);
      plays("text")(process);
    });
    expect(result).toMatchObject({ status: "completed", text: HELLO });
  });

  it("gets the prompt on standard input and each option in one argument", async () => {
    const options = { model: "a/b", agent: "plan", variant: "high", dangerously_skip_permissions: true };
    const { started } = await run({ prompt: "--auto", options }, plays("text"));
    expect(started[0]?.options.argv).toEqual([
      ...["opencode", "run", "--format=json", "--thinking", "--title=Troupe", "--print-logs", "--log-level=INFO"],
      ...["--model=a/b", "--agent=plan", "--variant=high", "--auto"],
    ]);
    expect([started[0]?.input, started[0]?.stdinEnded]).toEqual(["--auto", true]);
  });

  it("reads no configuration of the project but its words for agents (arguments I3)", async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-oc-")));
    try {
      const cwd = join(root, "a", "b");
      mkdirSync(cwd, { recursive: true });
      mkdirSync(join(root, "a", ".git"));
      for (const folder of [root, join(root, "a")]) writeFileSync(join(folder, "AGENTS.md"), "words");
      const { started } = await run({ cwd }, plays("text"));
      expect(started[0]?.options.env["OPENCODE_DISABLE_PROJECT_CONFIG"]).toBe("1");
      expect(configOf(started[0]!)["instructions"]).toEqual([join(root, "a", "AGENTS.md")]);
      rmSync(join(root, "a", "AGENTS.md"));
      const outside = await run({ cwd }, plays("text"));
      expect(configOf(outside.started[0]!)["instructions"]).toBeUndefined();
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  test.each(["OPENCODE_DISABLE_PROJECT_CONFIG", "OPENCODE_CONFIG_CONTENT", "OPENCODE_PERMISSION"])(
    "is not started for a workflow that sets %s",
    async (name) => {
      await expect(run({ options: { env: { [name]: "0" } } })).rejects.toMatchObject({
        code: "USER.AGENT.INVALID_OPTION",
        message: expect.stringContaining(`options.env.${name}`),
      });
    },
  );

  it("is not started for an option that is wrong", async () => {
    await expect(run({ options: { modle: "x" } })).rejects.toThrow('did you mean "model"?');
  });

  it("gets the user's configuration with the step's on top (config I1, I2)", async () => {
    const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify({ share: "manual", permission: "ask", mcp: { mine: {} } }) };
    const { started } = await run(
      {
        env,
        options: { permission: { bash: "allow" } },
        mcpServers: [
          { name: "db", transport: "stdio", command: "run", args: ["-x"], env: { KEY: "k" } },
          { name: "web", transport: "http", url: "https://x.test", headers: { A: "b" } },
        ],
      },
      plays("text"),
    );
    expect(configOf(started[0]!)).toEqual({
      autoupdate: false,
      share: "manual",
      experimental: { continue_loop_on_deny: true },
      permission: { "*": "ask", bash: "allow" },
      mcp: {
        mine: {},
        db: { type: "local", command: ["run", "-x"], environment: { KEY: "k" }, enabled: true },
        web: { type: "remote", url: "https://x.test", headers: { A: "b" }, enabled: true },
      },
    });
    expect(started[0]?.options.argv.join(" ")).not.toContain("KEY");
  });

  it("works with the servers' tools alone where its own are replaced", async () => {
    const mcpServers = [{ name: "db", transport: "stdio", command: "run", args: [], env: {} }] as const;
    const { started } = await run(
      { mcpServers: [...mcpServers.map((one) => ({ ...one, args: [] }))], ownTools: "replaced" },
      plays("text"),
    );
    expect(configOf(started[0]!)["permission"]).toEqual({ "*": "deny", "db_*": "allow" });
  });

  it("refuses a configuration of the user's that is no JSON", async () => {
    await expect(run({ env: { OPENCODE_CONFIG_CONTENT: "{" } })).rejects.toMatchObject({
      code: "USER.AGENT.INVALID_OPTION",
    });
  });
});

describe("a system prompt", () => {
  it("is a file of this user's alone, gone after the run", async () => {
    const seen: [string, number, string][] = [];
    const play = (process: FakeProcess) => {
      const [file] = configOf(process)["instructions"] as [string];
      seen.push([readFileSync(file, "utf8"), statSync(file).mode & 0o777, file]);
      plays("text")(process);
    };
    await run({ systemPrompt: "Be kind." }, play);
    expect(seen.map(([text, mode, file]) => [text, mode, existsSync(file)])).toEqual([["Be kind.", 0o600, false]]);
  });

  it("that replaces the program's own is the agent's", async () => {
    const options = { system_prompt_mode: "replace", agent: "plan" };
    const { started } = await run({ systemPrompt: "Be kind.", options }, plays("text"));
    expect(configOf(started[0]!)["agent"]).toEqual({ plan: { prompt: "Be kind." } });
  });
});

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

  it("by an abort is a cut, with what was said (I3)", async () => {
    const controller = new AbortController();
    const program = fakeProgram(({ out }) => {
      out(read("sigterm-tool"));
      controller.abort();
    });
    const { result } = await hear(opencode({ spawn: program.spawn }), {}, controller.signal);
    expect(program.started[0]?.terminated).toEqual([{}]);
    expect(result).toMatchObject({ class: "cut", message: "OpenCode was stopped.", text: "I will use a tool." });
  });
});
