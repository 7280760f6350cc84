import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import type { AgentEvent } from "../../../../actors/agents/agent.ts";
import { gemini } from "../../../../actors/agents/gemini/gemini.ts";
import type { Json } from "../../../../machines/model.ts";
import { type FakeProcess, fakeProgram, hear, recordingsOf } from "../fake-program.ts";
import { request } from "../understudy/support.ts";

const { plays } = recordingsOf("gemini");
const UUID = "00000000-0000-4000-8000-000000000001";
const BASE = ["gemini", "--skip-trust", "--output-format=stream-json"];

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-gemini-"));
  mkdirSync(join(home, ".gemini"));
});
afterEach(() => rmSync(home, { recursive: true }));
const theirs = (name: string): string => join(home, ".gemini", name);

type Over = NonNullable<Parameters<typeof hear>[1]>;
async function run(over: Over, ...play: ((process: FakeProcess) => void)[]) {
  const program = fakeProgram(...play);
  const agent = gemini({ spawn: program.spawn, uuid: () => UUID });
  return { ...(await hear(agent, { env: { HOME: home }, ...over })), started: program.started };
}

describe("the arguments", () => {
  test.each([
    [{}, []],
    [{ model: "--x" }, ["--model=--x"]],
    [{ approval_mode: "plan" }, ["--approval-mode=plan"]],
    [{ dangerously_skip_permissions: true }, ["--approval-mode=yolo"]],
    [{ allowed_tools: ["a", "b"] }, ["--allowed-tools=a", "--allowed-tools=b"]],
    [{ add_dirs: "/a" }, ["--include-directories=/a"]],
    [{ sandbox: "true" }, ["--sandbox"]],
  ] as [{ [name: string]: Json }, string[]][])("of %j (I1)", async (options, expected) => {
    const { started } = await run({ options, prompt: "--yolo" }, plays("text"));
    expect(started[0]?.options.argv).toEqual([...BASE, ...expected, `--session-id=${UUID}`]);
    expect([started[0]?.input, started[0]?.stdinEnded]).toEqual(["--yolo", true]);
  });

  test("name the session's other folders beside the step's", async () => {
    const { started } = await run({ options: { add_dirs: ["/a"] }, directories: ["/b c"] }, plays("text"));
    const [a, b] = ["--include-directories=/a", "--include-directories=/b c"];
    expect(started[0]?.options.argv).toEqual(expect.arrayContaining([a, b]));
  });

  test.each([
    [{ modle: "x" }, 'options.modle: gemini has no such option; did you mean "model"?'],
    [{ approval_mode: "all" }, "options.approval_mode: expected one of default, auto_edit, yolo, plan"],
    [{ dangerously_skip_permissions: true, approval_mode: "plan" }, "give either this or approval_mode"],
  ] as [{ [name: string]: Json }, string][])("%j is refused", async (options, message) => {
    await expect(run({ options }, plays("text"))).rejects.toMatchObject({
      code: "USER.AGENT.INVALID_OPTION",
      message: expect.stringContaining(message),
    });
  });

  it("pass on no trust of the repository, and keep reports out of the shared folder (I3)", async () => {
    const env = { HOME: home, GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_API_KEY: "k" };
    const { started } = await run({ env }, plays("text"));
    const given = started[0]?.options.env ?? {};
    expect(Object.keys(given).sort()).toEqual(
      ["GEMINI_API_KEY", "GEMINI_CLI_NO_RELAUNCH", "GEMINI_CLI_TRUSTED_FOLDERS_PATH", "HOME", "TMPDIR"].sort(),
    );
    expect(dirname(given["GEMINI_CLI_TRUSTED_FOLDERS_PATH"] ?? "")).toBe(given["TMPDIR"]);
    expect(existsSync(given["TMPDIR"] ?? "")).toBe(false);
  });
});

describe("the run's own home", () => {
  const mcpServers = [{ name: "db", transport: "stdio" as const, command: "node", args: [], env: { TOKEN: "canary" } }];
  const ours = (process: FakeProcess, name: string): string =>
    join(process.options.env["GEMINI_CLI_HOME"] ?? "", ".gemini", name);

  it("has the servers and the system prompt beside all that is the user's, without a secret (home I1, I2)", async () => {
    writeFileSync(
      theirs("settings.json"),
      '{ /* a */ "ui": { "x": "// no comment" }, "mcpServers": { "own": {} } } // b',
    );
    writeFileSync(theirs("GEMINI.md"), "The user's words.");
    writeFileSync(theirs("projects.json"), "old");
    const { started } = await run({ mcpServers, systemPrompt: "Be kind." }, (process) => {
      expect(JSON.parse(readFileSync(ours(process, "settings.json"), "utf8"))).toEqual({
        ui: { x: "// no comment" },
        mcpServers: { own: {}, db: { command: "node", args: [], env: { TOKEN: "${MCP_CONFIGURED_1}" }, trust: true } },
      });
      expect(process.options.env["MCP_CONFIGURED_1"]).toBe("canary");
      expect(readFileSync(ours(process, "GEMINI.md"), "utf8")).toBe("The user's words.\n\nBe kind.");
      expect(lstatSync(ours(process, "tmp")).isSymbolicLink()).toBe(true);
      // As the program does: a new file in the old one's place.
      writeFileSync(ours(process, "projects.new"), "new");
      renameSync(ours(process, "projects.new"), ours(process, "projects.json"));
      plays("text")(process);
    });
    expect(readFileSync(theirs("projects.json"), "utf8")).toBe("new");
    expect(readFileSync(theirs("GEMINI.md"), "utf8")).toBe("The user's words.");
    expect(readFileSync(theirs("settings.json"), "utf8")).not.toContain("db");
    expect(existsSync(started[0]?.options.env["GEMINI_CLI_HOME"] ?? "")).toBe(false);
  });

  it("gives back what the program put there also where its lines cannot be taken", async () => {
    const program = fakeProgram((process) => {
      writeFileSync(ours(process, "oauth.json"), "renewed");
      process.out('{"type":"message","role":"assistant","content":"Hi"}\n');
    });
    const agent = gemini({ spawn: program.spawn, uuid: () => UUID });
    const taken = (event: AgentEvent): void => {
      if (event.type === "text") throw new Error("the disk is full");
    };
    const asked = request({ cwd: "/home/dev/work", env: { HOME: home }, systemPrompt: "Be kind." });
    await expect(agent(asked, taken, new AbortController().signal)).rejects.toThrow("the disk is full");
    expect(readFileSync(theirs("oauth.json"), "utf8")).toBe("renewed");
  });

  it("has the words under the name that the user chose", async () => {
    writeFileSync(theirs("settings.json"), '{ "context": { "fileName": ["WORDS.md", "GEMINI.md"] } }');
    await run({ systemPrompt: "Be kind." }, (process) => {
      expect(readFileSync(ours(process, "WORDS.md"), "utf8")).toBe("Be kind.");
      plays("text")(process);
    });
  });

  it("is not made where the user's will do", async () => {
    const { started } = await run({}, plays("text"));
    expect(started[0]?.options.env["GEMINI_CLI_HOME"]).toBeUndefined();
  });

  it("is not needed for a system prompt in the place of the program's own", async () => {
    const seen: string[] = [];
    await run({ systemPrompt: "Only this.", options: { system_prompt_mode: "replace" } }, (process) => {
      seen.push(readFileSync(process.options.env["GEMINI_SYSTEM_MD"] ?? "", "utf8"));
      plays("text")(process);
    });
    expect(seen).toEqual(["Only this."]);
  });

  it("is refused for settings that cannot be read", async () => {
    writeFileSync(theirs("settings.json"), "{");
    await expect(run({ mcpServers }, plays("text"))).rejects.toThrow("settings.json is no JSON");
  });
});

describe("an exit code of the program's own (outcome I2)", () => {
  const result = `${JSON.stringify({ type: "result", status: "error", error: { message: "Reached max session turns" } })}\n`;
  test.each([
    [41, "", "auth"],
    [42, "", "refused"],
    [53, "", "cut"],
    [53, result, "cut"],
    [54, "", "crashed"],
  ] as const)("%i after %j is of class %s", async (code, out, name) => {
    const { result: ended } = await run({}, (process) => {
      process.out(out);
      process.err("Reached max session turns\n");
      process.end({ type: "exited", code });
    });
    expect(ended).toMatchObject({ status: "failed", class: name, message: expect.stringContaining("max session") });
  });
});

describe("a conversation", () => {
  const unknown = (process: FakeProcess): void => {
    process.err(`Error resuming session: Invalid session identifier "${UUID}".\n`);
    process.end({ type: "exited", code: 42 });
  };

  it("that is new is reported under our id before the program starts (I1)", async () => {
    const { heard } = await run({}, plays("text"));
    expect(heard[0]).toEqual({ type: "conversation", id: UUID });
  });

  it("continues under its id, and begins anew under it where an earlier attempt kept nothing (I1)", async () => {
    const { heard, result, started } = await run({ conversation: UUID, attempt: 2 }, unknown, plays("text"));
    expect(started.map(({ options }) => options.argv.at(-1))).toEqual([`--resume=${UUID}`, `--session-id=${UUID}`]);
    expect(heard.slice(0, 2).map(({ type }) => type)).toEqual(["notice", "conversation"]);
    expect(result.status).toBe("completed");
  });

  it.each([
    [UUID, { continues: true, attempt: 2 }, 1],
    [UUID, {}, 1],
    ["latest", { attempt: 2 }, 0],
  ])("%s that must be known and is not is refused (%j)", async (conversation, over, starts) => {
    const { result, started } = await run({ conversation, ...over }, unknown);
    expect(started).toHaveLength(starts);
    expect(result).toMatchObject({
      status: "failed",
      class: "refused",
      message: expect.stringContaining(conversation),
    });
  });
});

describe("retries of the program's own (I2)", () => {
  const fails = (process: FakeProcess, times: number): void => {
    for (let n = 1; n <= times; n += 1)
      process.err(`Attempt ${n} failed with status 429. Retrying with backoff... x\n`);
  };

  it("are reported, and after the last allowed one the program is stopped", async () => {
    const { heard, result, started } = await run({ options: { max_retries: 1 } }, (process) => fails(process, 2));
    expect(heard.map(({ type }) => type)).toEqual(["conversation", "notice", "notice"]);
    expect(started[0]?.terminated).toEqual([{}]);
    expect(result).toMatchObject({ status: "failed", class: "rate_limit" });
  });

  it("that pass are no failure", async () => {
    const { result, started } = await run({}, (process) => {
      fails(process, 4);
      plays("text")(process);
    });
    expect(started[0]?.terminated).toEqual([]);
    expect(result.status).toBe("completed");
  });
});

it("an abort before the start starts nothing", async () => {
  const program = fakeProgram();
  const { result } = await hear(gemini({ spawn: program.spawn }), { env: { HOME: home } }, AbortSignal.abort());
  expect([program.started, result.status]).toEqual([[], "failed"]);
});
