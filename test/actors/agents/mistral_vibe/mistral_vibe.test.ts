import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { mistralVibe } from "../../../../actors/agents/mistral_vibe/mistral_vibe.ts";
import type { Json } from "../../../../machines/model.ts";
import { type FakeProcess, fakeProgram, hear, recordingsOf } from "../fake-program.ts";
import { request } from "../understudy/support.ts";

const { read } = recordingsOf("mistral_vibe");
const ID = "19e20733-c4a3-9938-c188-1970e30fea6b";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-vibe-"));
  mkdirSync(join(home, ".vibe"));
});
afterEach(() => rmSync(home, { recursive: true }));
const theirs = (name: string): string => join(home, ".vibe", name);
const ours = ({ options }: FakeProcess, name: string): string => join(options.env["VIBE_HOME"] ?? "", name);

/** Ends with a report, as the program does. */
const ends = (process: FakeProcess, report: object): void => {
  const folder = process.options.argv.find((one) => one.startsWith("--output-dir="))?.slice("--output-dir=".length);
  mkdirSync(folder ?? "");
  writeFileSync(join(folder ?? "", "export.json"), JSON.stringify(report));
  process.end({ type: "exited", code: 0 });
};
const speaks = (process: FakeProcess): void => {
  process.out(read("text"));
  ends(process, { outcome: "finished" });
};
const unknown = (process: FakeProcess): void =>
  ends(process, { outcome: "usage_error", error: { message: `Session not found: ${ID}` } });

type Over = NonNullable<Parameters<typeof hear>[1]>;
async function run(over: Over, ...play: ((process: FakeProcess) => void)[]) {
  const program = fakeProgram(...play);
  const agent = mistralVibe({ spawn: program.spawn });
  return { ...(await hear(agent, { env: { HOME: home }, ...over })), started: program.started };
}
/** The arguments without the folder of the report, which has another name each time. */
const argvOf = (process: FakeProcess | undefined): string[] =>
  (process?.options.argv ?? []).filter((one) => !one.startsWith("--output-dir="));

describe("the arguments", () => {
  test.each([
    [{}, []],
    [{ agent: "--x" }, ["--agent=--x"]],
    [{ dangerously_skip_permissions: "true" }, ["--auto-approve"]],
    [{ max_turns: 3, max_tokens: 100, max_price: 0.5 }, ["--max-turns=3", "--max-tokens=100", "--max-price=0.5"]],
    [
      { enabled_tools: ["bash*"], disabled_tools: "edit,todo" },
      ["--enabled-tools=bash*", "--disabled-tools=edit", "--disabled-tools=todo"],
    ],
  ] as [{ [name: string]: Json }, string[]][])("of %j (I1)", async (options, expected) => {
    const { started } = await run({ options, prompt: "--yolo" }, speaks);
    expect(argvOf(started[0])).toEqual(["vibe", "-p", "--output=streaming", ...expected]);
    expect([started[0]?.input, started[0]?.stdinEnded]).toEqual(["--yolo", true]);
  });

  test.each([
    [{ modle: "x" }, 'options.modle: mistral_vibe has no such option; did you mean "model"?'],
    [{ max_turns: 0 }, "options.max_turns: expected a whole number above 0"],
    [{ env: { VIBE_PROVIDERS: "[]" } }, "options.env.VIBE_PROVIDERS: a workflow may not set this variable"],
  ] as [{ [name: string]: Json }, string][])("%j is refused (I3)", async (options, message) => {
    await expect(run({ options }, speaks)).rejects.toMatchObject({
      code: "USER.AGENT.INVALID_OPTION",
      message: expect.stringContaining(message),
    });
  });

  it("never trust the folder; the model and the time for retries are in the environment (I3)", async () => {
    const options = { model: "m", max_retry_seconds: 5 };
    const { started } = await run({ options }, speaks);
    expect(started[0]?.options.argv).not.toContain("--trust");
    expect(started[0]?.options.env).toMatchObject({ VIBE_ACTIVE_MODEL: "m", VIBE_API_RETRY_MAX_ELAPSED_TIME: "5" });
    const plain = await run({ env: { HOME: home, VIBE_API_RETRY_MAX_ELAPSED_TIME: "9" } }, speaks);
    expect(plain.started[0]?.options.env).toMatchObject({ VIBE_API_RETRY_MAX_ELAPSED_TIME: "9" });
  });

  const db = { name: "d.b", transport: "stdio" as const, command: "a b", args: ["x"], env: { TOKEN: "canary" } };

  it("of MCP servers are none: what a server is given travels in the environment (I2)", async () => {
    const { started } = await run({ mcpServers: [db], ownTools: "replaced" }, speaks);
    expect(argvOf(started[0]).slice(3)).toEqual(["--legacy-harness", "--enabled-tools=d_b_*"]);
    expect(JSON.parse(started[0]?.options.env["VIBE_MCP_SERVERS"] ?? "")).toEqual([
      { name: "d.b", transport: "stdio", command: ["a b"], args: ["x"], env: { TOKEN: "canary" } },
    ]);
  });

  it("leave Troupe's own tools to Troupe, which asks about them, beside what the user says of others", async () => {
    const offer = [{ name: "Read", description: "", kind: "read" as const, schema: {} }];
    const toolbox = { offer, call: async () => ({ text: "", isError: false }) };
    const env = { HOME: home, VIBE_TOOLS: '{"bash":{"permission":"never"}}' };
    const { started } = await run({ toolbox, env }, speaks);
    expect(JSON.parse(started[0]?.options.env["VIBE_TOOLS"] ?? "")).toEqual({
      bash: { permission: "never" },
      troupe_Read: { permission: "always" },
    });
    const plain = await run({}, speaks);
    expect(plain.started[0]?.options.env).not.toHaveProperty("VIBE_TOOLS");
  });

  it("of a server that the program does not know are refused", async () => {
    const mcpServers = [{ name: "old", transport: "sse" as const, url: "http://x", headers: {} }];
    await expect(run({ mcpServers }, speaks)).rejects.toMatchObject({ code: "EXECUTION.AGENT.UNSUPPORTED" });
  });
});

describe("the run's own home", () => {
  it("trusts no folder, has the system prompt, and leaves the user's as it was (home I1)", async () => {
    writeFileSync(theirs("trusted_folders.toml"), "trusted = []");
    writeFileSync(theirs("config.toml"), "x = 1");
    writeFileSync(theirs("AGENTS.md"), "The user's words.");
    const { started } = await run({ systemPrompt: "Be kind." }, (process) => {
      expect(existsSync(ours(process, "trusted_folders.toml"))).toBe(false);
      expect(readFileSync(ours(process, "config.toml"), "utf8")).toBe("x = 1");
      expect(readFileSync(ours(process, "AGENTS.md"), "utf8")).toBe("The user's words.\n\nBe kind.");
      writeFileSync(ours(process, "trusted_folders.toml"), "trusted = ['everything']");
      writeFileSync(ours(process, "cache.toml"), "kept");
      mkdirSync(join(ours(process, "logs"), "session"));
      speaks(process);
    });
    expect(readFileSync(theirs("trusted_folders.toml"), "utf8")).toBe("trusted = []");
    expect(readFileSync(theirs("AGENTS.md"), "utf8")).toBe("The user's words.");
    expect(readFileSync(theirs("cache.toml"), "utf8")).toBe("kept");
    expect(existsSync(join(theirs("logs"), "session"))).toBe(true);
    expect(existsSync(started[0]?.options.env["VIBE_HOME"] ?? "")).toBe(false);
  });

  it("gives back what the program put there also where its lines cannot be taken", async () => {
    const program = fakeProgram((process) => {
      writeFileSync(ours(process, "cache.toml"), "kept");
      process.out('{"type":"message","role":"assistant","content":[{"text":"Hi"}]}\n');
    });
    const taken = (event: AgentEvent): void => {
      if (event.type === "text") throw new Error("the disk is full");
    };
    const asked = request({ cwd: "/home/dev/work", env: { HOME: home } });
    const played = mistralVibe({ spawn: program.spawn })(asked, taken, new AbortController().signal);
    await expect(played).rejects.toThrow("the disk is full");
    expect(readFileSync(theirs("cache.toml"), "utf8")).toBe("kept");
  });

  it("has a system prompt in the place of the program's own", async () => {
    await run({ systemPrompt: "Only this.", options: { system_prompt_mode: "replace" } }, (process) => {
      const id = process.options.env["VIBE_SYSTEM_PROMPT_ID"];
      expect(readFileSync(ours(process, join("prompts", `${id}.md`)), "utf8")).toBe("Only this.");
      expect(existsSync(ours(process, "AGENTS.md"))).toBe(false);
      speaks(process);
    });
  });
});

describe("a conversation", () => {
  it("is reported with the first line (I1)", async () => {
    const { heard, result } = await run({}, speaks);
    expect(heard[0]).toEqual({ type: "conversation", id: ID });
    expect(result.status).toBe("completed");
  });

  it("continues under its id, and begins anew where an earlier attempt kept nothing", async () => {
    const { heard, result, started } = await run({ conversation: ID, attempt: 2 }, unknown, speaks);
    expect(started.map((one) => argvOf(one).slice(3))).toEqual([[`--resume=${ID}`], []]);
    expect(heard.map(({ type }) => type)).toEqual(["notice", "conversation", "text"]);
    expect(result.status).toBe("completed");
  });

  it.each([
    [ID, { continues: true, attempt: 2 }, 1],
    [ID, {}, 1],
    ["latest", { attempt: 2 }, 0],
  ])("%s that must be known and is not is refused (%j)", async (conversation, over, starts) => {
    const { result, started } = await run({ conversation, ...over }, unknown);
    expect(started).toHaveLength(starts);
    expect(result).toMatchObject({ class: "refused", message: expect.stringContaining(conversation) });
  });
});

it("an abort before the start starts nothing", async () => {
  const program = fakeProgram();
  const { result } = await hear(mistralVibe({ spawn: program.spawn }), { env: { HOME: home } }, AbortSignal.abort());
  expect([program.started, result.status]).toEqual([[], "failed"]);
});
