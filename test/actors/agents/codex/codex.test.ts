import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { codex } from "../../../../actors/agents/codex/codex.ts";
import { layerText } from "../../../../actors/agents/codex/layer.ts";
import { changesIn } from "../../../../actors/agents/codex/rollout.ts";
import type { Json } from "../../../../machines/model.ts";
import { type FakeProcess, fakeProgram, hear, recordingsOf } from "../fake-program.ts";

const { plays } = recordingsOf("codex");
const THREAD = "01a2007f-2cb0-7151-a57b-7dda633fc449";
const BASE = ["codex", "exec", "--json", "--skip-git-repo-check", "--color=never"];
const UNTRUSTED = `--config=projects={ ${["/home/dev/work", "/home/dev", "/home", "/"]
  .map((path) => `"${path}" = { "trust_level" = "untrusted" }`)
  .join(", ")} }`;
const NO_ANSWER = 2 ** 22 + 1;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-codex-"));
});
afterEach(() => rmSync(home, { recursive: true }));

type Over = NonNullable<Parameters<typeof hear>[1]>;
async function run(over: Over, ...play: ((process: FakeProcess) => void)[]) {
  const program = fakeProgram(...play);
  const env = { CODEX_HOME: home };
  return { ...(await hear(codex({ spawn: program.spawn }), { env, ...over })), started: program.started };
}
const layers = (): string[] => readdirSync(home).filter((name) => name.startsWith("troupe-"));
const says =
  (...lines: object[]) =>
  (process: FakeProcess): void => {
    for (const line of lines) process.out(`${JSON.stringify(line)}\n`);
  };

describe("the arguments", () => {
  test.each([
    [{}, ["--sandbox=read-only"], []],
    [{ model: "--x" }, ["--sandbox=read-only", "--model=--x"], []],
    [{ sandbox: "workspace-write", add_dirs: ["/a"] }, ["--sandbox=workspace-write", "--add-dir=/a"], []],
    [{ dangerously_skip_permissions: "true" }, ["--dangerously-bypass-approvals-and-sandbox"], []],
    [{ effort: "high" }, ["--sandbox=read-only"], ['--config=model_reasoning_effort="high"']],
    [{ network_access: true }, ["--sandbox=read-only"], ["--config=sandbox_workspace_write.network_access=true"]],
    [{ web_search: "live" }, ["--sandbox=read-only"], ['--config=web_search="live"']],
  ] as [{ [name: string]: Json }, string[], string[]][])("of %j (I1, I3)", async (options, before, after) => {
    const { started } = await run({ options, prompt: "--last" }, plays("text"));
    expect(started[0]?.options.argv).toEqual([...BASE, ...before, UNTRUSTED, ...after, "-"]);
    expect([started[0]?.input, started[0]?.stdinEnded]).toEqual(["--last", true]);
  });

  test("name the session's other folders beside the step's", async () => {
    const { started } = await run({ options: { add_dirs: ["/a"] }, directories: ["/b c"] }, plays("text"));
    expect(started[0]?.options.argv).toEqual(expect.arrayContaining(["--add-dir=/a", "--add-dir=/b c"]));
  });

  test.each([
    [{ modle: "x" }, 'options.modle: codex has no such option; did you mean "model"?'],
    [{ sandbox: "none" }, "options.sandbox: expected one of read-only, workspace-write, danger-full-access"],
    [{ dangerously_skip_permissions: true, sandbox: "read-only" }, "give either this or sandbox"],
  ] as [{ [name: string]: Json }, string][])("%j is refused, and nothing is started", async (options, message) => {
    await expect(run({ options, systemPrompt: "s" }, plays("text"))).rejects.toMatchObject({
      code: "USER.AGENT.INVALID_OPTION",
      message: expect.stringContaining(message),
    });
    expect(layers()).toEqual([]);
  });
});

describe("the run's own configuration", () => {
  const mcpServers = [
    { name: "a.b", transport: "stdio" as const, command: "node", args: ['"x"'], env: { TOKEN: "canary\u007f" } },
    { name: "web", transport: "http" as const, url: "https://x.test", headers: { Authorization: "canary" } },
  ];

  it("holds the system prompt and the servers, for this user alone, and is gone afterwards (layer I1, I2)", async () => {
    const seen: string[] = [];
    const look = (process: FakeProcess): void => {
      const [name = ""] = layers();
      seen.push(readFileSync(join(home, name), "utf8"), (statSync(join(home, name)).mode & 0o777).toString(8));
      expect(process.options.argv).toContain(`--profile=${name.replace(".config.toml", "")}`);
      expect(process.options.argv.join(" ")).not.toContain("canary");
      plays("text")(process);
    };
    await run({ systemPrompt: 'Be "kind"\ncanary', mcpServers }, look);
    expect(seen).toEqual([
      `developer_instructions = "Be \\"kind\\"\\ncanary"
mcp_servers."a.b" = { "command" = "node", "args" = ["\\"x\\""], "env" = { "TOKEN" = "canary\\u007F" }, "default_tools_approval_mode" = "approve" }
mcp_servers."web" = { "url" = "https://x.test", "http_headers" = { "Authorization" = "canary" }, "default_tools_approval_mode" = "approve" }
`,
      "600",
    ]);
    expect(layers()).toEqual([]);
  });

  it("of a process that was killed is removed by the next run, one of a living process is not (layer I2)", async () => {
    writeFileSync(join(home, `troupe-${NO_ANSWER}-1.config.toml`), "");
    writeFileSync(join(home, `troupe-${process.ppid}-1.config.toml`), "");
    await run({ systemPrompt: "s" }, plays("text"));
    expect(layers()).toEqual([`troupe-${process.ppid}-1.config.toml`]);
  });

  it("knows no servers of type sse", () => {
    const server = { name: "old", transport: "sse" as const, url: "https://x.test", headers: {} };
    expect(() => layerText({ systemPrompt: null, mcpServers: [server] })).toThrow("mcp_servers.old: codex knows no");
  });
});

describe("a conversation", () => {
  const unknown = (process: FakeProcess): void => {
    process.err("Error: thread/resume failed: no rollout found for thread id x (code -32600)\n");
    process.end({ type: "exited", code: 1 });
  };

  it("continues under its id, which is not reported again", async () => {
    const { heard, started } = await run({ conversation: THREAD }, plays("resume"));
    expect(started[0]?.options.argv.slice(-3)).toEqual(["resume", THREAD, "-"]);
    expect(heard.filter(({ type }) => type === "conversation")).toEqual([]);
  });

  it("of another step gets this step's instructions with its prompt", async () => {
    const over = { conversation: THREAD, continues: true, systemPrompt: "Be kind.", prompt: "Go." };
    const { started } = await run(over, plays("resume"));
    expect(started[0]?.input).toBe("Be kind.\n\nGo.");
  });

  it("of an earlier attempt that kept nothing begins anew (I1)", async () => {
    const { heard, result, started } = await run({ conversation: THREAD, attempt: 2 }, unknown, plays("text"));
    expect(started.map(({ options }) => options.argv.includes("resume"))).toEqual([true, false]);
    expect(heard[0]).toMatchObject({ type: "notice", message: expect.stringContaining("begins anew") });
    expect(result.status).toBe("completed");
  });

  it.each([
    [THREAD, { continues: true, attempt: 2 }, 1],
    [THREAD, {}, 1],
    ["--last", { attempt: 2 }, 0],
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

describe("a network that is not there (parser I3)", () => {
  const waits = { type: "error", message: "Reconnecting... waiting for network (Connection failed)" };

  it("is waited for some times, then the program is stopped", async () => {
    const { heard, result, started } = await run({}, says(waits, waits, waits));
    expect(started[0]?.terminated).toEqual([{ first: "SIGINT" }]);
    expect(heard).toHaveLength(3);
    expect(result).toMatchObject({ status: "failed", class: "network", message: waits.message });
  });

  it("that comes back is no failure", async () => {
    const other = { type: "error", message: "Reconnecting... 1/5 (x)" };
    const { result, started } = await run({}, (process) => {
      says(waits, waits, other, waits, waits)(process);
      plays("text")(process);
    });
    expect(started[0]?.terminated).toEqual([]);
    expect(result.status).toBe("completed");
  });
});

describe("an abort (I2)", () => {
  it("sends SIGINT first and settles after the end", async () => {
    const controller = new AbortController();
    const program = fakeProgram((process) => {
      plays("sigint-tool", 1)(process);
      controller.abort();
    });
    const { result } = await hear(codex({ spawn: program.spawn }), { env: { CODEX_HOME: home } }, controller.signal);
    expect(result).toMatchObject({ status: "failed", class: "cut", message: "Codex was stopped." });
  });

  it("before the start starts nothing", async () => {
    const program = fakeProgram();
    const aborted = AbortSignal.abort();
    const over = { env: { CODEX_HOME: home }, systemPrompt: "s" };
    const { result } = await hear(codex({ spawn: program.spawn }), over, aborted);
    expect([program.started, layers(), result.status]).toEqual([[], [], "failed"]);
  });
});

describe("the changes of files", () => {
  it("are read from the program's record, the last ones (rollout I2)", () => {
    const folder = join(home, "sessions", "2026", "01", "02");
    mkdirSync(folder, { recursive: true });
    const change = (changes: object) => ({
      payload: { type: "item_completed", item: { type: "FileChange", changes } },
    });
    const lines = [
      change({ "/w/old.txt": { type: "add", content: "earlier\n" } }),
      { payload: { type: "message", text: '"FileChange"' } },
      change({
        "/w/b.txt": { type: "delete", content: "gone\n" },
        "/w/a.txt": { type: "update", unified_diff: "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", move_path: "/w/m.txt" },
      }),
    ];
    writeFileSync(
      join(folder, `rollout-2026-${THREAD}.jsonl`),
      lines.map((one) => `${JSON.stringify(one)}\n`).join(""),
    );
    expect(changesIn(home, THREAD, 1)).toEqual([
      [
        { type: "diff", path: "/w/m.txt", oldText: "a\nb\n", newText: "a\nc\n" },
        { type: "diff", path: "/w/b.txt", oldText: "gone\n", newText: "" },
      ],
    ]);
    expect(changesIn(home, "another", 1)).toEqual([]);
  });

  it("are none where the record cannot be read (rollout I1)", () => {
    mkdirSync(join(home, "sessions", "2026", "01", "02", `rollout-2026-${THREAD}.jsonl`), { recursive: true });
    expect(changesIn(home, THREAD, 1)).toEqual([]);
  });
});
