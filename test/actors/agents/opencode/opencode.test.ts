/** The program: what it is given, and what it is not started for. */
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
import type { Json } from "../../../../machines/model.ts";
import type { FakeProcess } from "../fake-program.ts";
import { HELLO, plays, run } from "./played.ts";

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
