import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { githubCopilot } from "../../../../actors/agents/github_copilot/github_copilot.ts";
import { type FakeProcess, fakeProgram, hear, joined, recordingsOf } from "../fake-program.ts";

const { plays, read } = recordingsOf("github_copilot");
const ID = "00000000-0000-4000-8000-000000000001";
const KNOWN = "4e71fcbf-f469-4409-b8b1-2e3aab7616d8";

type Over = Parameters<typeof hear>[1];
async function run(over: Over, ...play: ((process: FakeProcess) => void)[]) {
  const program = fakeProgram(...play);
  return { ...(await hear(githubCopilot({ spawn: program.spawn, uuid: () => ID }), over)), started: program.started };
}
const argvOf = (process: FakeProcess | undefined): string[] =>
  (process?.options.argv ?? []).filter((one) => !one.startsWith("--usage-output-file="));
const fileOf = (process: FakeProcess, flag: string): string =>
  process.options.argv.find((one) => one.startsWith(flag))?.slice(flag.length) ?? "";

describe("the program", () => {
  it("gets the prompt on standard input and each value with its flag (arguments I1, I2)", async () => {
    const options = {
      ...{
        model: "gpt-5.4",
        effort: "high",
        mode: "autopilot",
        agent: "reviewer",
        dangerously_skip_permissions: "true",
      },
      ...{ allowed_tools: ["shell(git:*)", "write"], denied_tools: "shell(rm:*), url", add_dirs: ["--allow-all"] },
    };
    const { started } = await run({ prompt: "--allow-all", options }, plays("text"));
    expect(argvOf(started[0])).toEqual([
      ...["copilot", "--output-format=json", "--stream=on", "--no-color"],
      ...["--no-auto-update", "--no-ask-user", "--disable-builtin-mcps", "--no-remote"],
      ...["--model=gpt-5.4", "--reasoning-effort=high", "--mode=autopilot", "--agent=reviewer"],
      ...["--allow-tool=shell(git:*)", "--allow-tool=write", "--deny-tool=shell(rm:*)", "--deny-tool=url"],
      ...["--add-dir=--allow-all", "--allow-all", `--session-id=${ID}`],
    ]);
    expect([started[0]?.input, started[0]?.stdinEnded]).toEqual(["--allow-all", true]);
  });

  test("name the session's other folders beside the step's", async () => {
    const { started } = await run({ options: { add_dirs: ["/a"] }, directories: ["/b c"] }, plays("text"));
    expect(argvOf(started[0])).toEqual(expect.arrayContaining(["--add-dir=/a", "--add-dir=/b c"]));
  });

  test.each(["COPILOT_ALLOW_ALL", "COPILOT_PROVIDER_API_KEY_COMMAND", "COPILOT_CUSTOM_INSTRUCTIONS_DIRS"])(
    "is not started for a workflow that sets %s (arguments I3)",
    async (name) => {
      await expect(run({ options: { env: { [name]: "true" } } })).rejects.toMatchObject({
        code: "USER.AGENT.INVALID_OPTION",
        message: expect.stringContaining(`options.env.${name}`),
      });
    },
  );

  it("is not started for an option that is wrong", async () => {
    await expect(run({ options: { effort: "huge" } })).rejects.toThrow("options.effort: expected one of none, minimal");
  });

  it("gets MCP servers in a file of this user's alone, gone after the run; what they are given is not in it (I2)", async () => {
    const seen: unknown[] = [];
    const files: string[] = [];
    const play = (process: FakeProcess) => {
      const file = fileOf(process, "--additional-mcp-config=@");
      files.push(file);
      seen.push(JSON.parse(readFileSync(file, "utf8")), statSync(file).mode & 0o777);
      plays("text")(process);
    };
    const mcpServers = [
      { name: "db", transport: "stdio" as const, command: "run", args: ["-x"], env: { KEY: "k" } },
      { name: "web", transport: "http" as const, url: "https://x.test", headers: { A: "b" } },
    ];
    const { started } = await run({ mcpServers, ownTools: "replaced" }, play);
    expect(seen).toEqual([
      {
        mcpServers: {
          db: { type: "stdio", command: "run", args: ["-x"], env: { KEY: "${MCP_CONFIGURED_1}" }, tools: ["*"] },
          web: { type: "http", url: "https://x.test", headers: { A: "${MCP_CONFIGURED_2}" }, tools: ["*"] },
        },
      },
      0o600,
    ]);
    expect(started[0]?.options.env).toMatchObject({ MCP_CONFIGURED_1: "k", MCP_CONFIGURED_2: "b" });
    expect(files.map((file) => existsSync(file))).toEqual([false]);
    expect(argvOf(started[0])).toEqual(
      expect.arrayContaining(["--excluded-tools=bash", "--excluded-tools=create", "--excluded-tools=view"]),
    );
  });

  it("gets a system prompt as instructions beside the user's own", async () => {
    const seen: string[] = [];
    const play = (process: FakeProcess) => {
      const [theirs, ours] = (process.options.env["COPILOT_CUSTOM_INSTRUCTIONS_DIRS"] ?? "").split(",");
      seen.push(theirs ?? "", readFileSync(join(ours ?? "", ".github/instructions/troupe.instructions.md"), "utf8"));
      plays("text")(process);
    };
    await run({ systemPrompt: "Be kind.", env: { COPILOT_CUSTOM_INSTRUCTIONS_DIRS: "/home/dev/mine" } }, play);
    expect(seen).toEqual(["/home/dev/mine", '---\napplyTo: "**"\n---\nBe kind.\n']);
  });
});

describe("a conversation", () => {
  it("that is new is reported under our id before the program starts (I1)", async () => {
    const order: string[] = [];
    const program = fakeProgram((process) => {
      order.push("started");
      writeFileSync(
        fileOf(process, "--usage-output-file="),
        '{"modelMetrics":{"m":{"usage":{"inputTokens":4,"outputTokens":2}}}}',
      );
      plays("text")(process);
    });
    const { heard, result } = await hear(Object.assign(githubCopilot({ spawn: program.spawn, uuid: () => ID })), {});
    expect(order).toEqual(["started"]);
    expect(joined(heard)).toEqual([
      { type: "conversation", id: ID },
      { type: "text", text: result.text },
    ]);
    expect(result).toEqual({
      status: "completed",
      text: "Hello from the stub model, turn 1. You said: Say hello, token=ALPHA. First prompt was: Say hello, token=ALPHA",
      usage: { inputTokens: 4, outputTokens: 2, totalTokens: 6 },
    });
    expect(existsSync(dirname(fileOf(program.started[0]!, "--usage-output-file=")))).toBe(false);
  });

  test.each<[string, string, Over]>([
    ["another step's", `--resume=${KNOWN}`, { continues: true, attempt: 2 }],
    ["an earlier turn's", `--resume=${KNOWN}`, {}],
    // The program continues it, or begins it where nothing was written yet.
    ["an attempt's that was cut off", `--session-id=${KNOWN}`, { attempt: 2 }],
  ])("that is %s continues with %s", async (_, flag, over) => {
    const { started, heard } = await run({ conversation: KNOWN, ...over }, plays("resume"));
    expect(argvOf(started[0]).at(-1)).toBe(flag);
    expect(heard.filter(({ type }) => type === "conversation")).toEqual([]);
  });

  it("that is not known is refused", async () => {
    const unknown = ({ err, end }: FakeProcess) => {
      err(`Error: No session, task, or name matched '${KNOWN}'.\n`);
      end({ type: "exited", code: 1 });
    };
    const { result } = await run({ conversation: KNOWN, continues: true }, unknown);
    expect(result).toMatchObject({ status: "failed", class: "refused", message: expect.stringContaining(KNOWN) });
    const other = await run({ conversation: "ses_x", attempt: 2 });
    expect([other.started.length, other.result.status]).toEqual([0, "failed"]);
  });
});

describe("an end", () => {
  it("because no user is signed in is of class auth", async () => {
    const play = ({ err, end }: FakeProcess) => {
      err("Error: No authentication information found.\n");
      end({ type: "exited", code: 1 });
    };
    expect((await run({}, play)).result).toMatchObject({ class: "auth" });
  });

  it("by an abort is a cut, with what was said (I3)", async () => {
    const controller = new AbortController();
    const program = fakeProgram(({ out }) => {
      out(read("sigterm-tool"));
      controller.abort();
    });
    const { result } = await hear(githubCopilot({ spawn: program.spawn }), {}, controller.signal);
    expect(program.started[0]?.terminated).toEqual([{}]);
    expect(result).toMatchObject({ class: "cut", message: "Copilot was stopped.", text: "I will use a tool." });
  });
});
