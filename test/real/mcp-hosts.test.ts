/**
 * Real MCP hosts with `troupe mcp`, configured by their own commands, as docs/mcp.md says.
 *
 * H1. A workflow is a tool: the model calls it and gets its output.
 * H2. A question of a run outlives its host: after `kill -9` the next host brings the answer.
 */
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import { type ModelRequest, ModelServer, saidTo } from "../support/model-server/model-server.ts";
import { Started } from "../support/started.ts";
import { claudeEnvironment } from "./subjects/claude.ts";
import { codexEnvironment, prepareCodex } from "./subjects/codex.ts";
import { geminiEnvironment, prepareGemini } from "./subjects/gemini.ts";

type Environment = { [name: string]: string };
type Argv = readonly [string, ...string[]];
type Host = {
  name: string;
  environment: (server: { url: string }, home: string) => Environment;
  prepare?: (server: { url: string }, home: string) => void;
  /** The command that docs/mcp.md names. */
  adds: Argv;
  /** Additions to its configuration. */
  besides?: (home: string) => void;
  /** One prompt, without a person. */
  asks: (prompt: string) => { argv: Argv; input: string };
  /** The name by which its model calls a tool of the server. */
  call: (name: string) => { name: string; namespace?: string };
};

/** Longer than a test. */
const NEVER_MS = 300_000;

const HOSTS: readonly Host[] = [
  {
    name: "claude",
    environment: claudeEnvironment,
    adds: ["claude", "mcp", "add", "troupe", "--", "troupe", "mcp"],
    asks: (prompt) => ({
      argv: ["claude", "-p", "--model=claude-sonnet-4-5", "--permission-mode=bypassPermissions"],
      input: prompt,
    }),
    call: (name) => ({ name: `mcp__troupe__${name}` }),
  },
  {
    name: "codex",
    environment: codexEnvironment,
    prepare: prepareCodex,
    adds: ["codex", "mcp", "add", "troupe", "--", "troupe", "mcp"],
    besides: (home) =>
      appendFileSync(join(home, ".codex", "config.toml"), '\ndefault_tools_approval_mode = "approve"\n'),
    asks: (prompt) => ({
      argv: ["codex", "exec", "--skip-git-repo-check", "--sandbox=read-only", "--model=gpt-unknown", "-"],
      input: prompt,
    }),
    call: (name) => ({ name, namespace: "mcp__troupe" }),
  },
  {
    name: "gemini",
    environment: geminiEnvironment,
    prepare: prepareGemini,
    adds: ["gemini", "mcp", "add", "troupe", "troupe", "mcp"],
    asks: (prompt) => ({ argv: ["gemini", "--approval-mode=yolo", "--model=gemini-2.5-flash"], input: prompt }),
    call: (name) => ({ name: `mcp_troupe_${name}` }),
  },
];

describe.each(HOSTS)("$name", (host) => {
  let server: ModelServer;
  let house: House;
  /** Troupe's state in the system's own place: a host does not pass every variable on to its servers. */
  let env: Environment;
  beforeAll(async () => {
    server = await ModelServer.start();
    house = openHouse(["acceptance/hello.yaml", "acceptance/talk.yaml"]);
    const home = house.env["HOME"] ?? "";
    const bin = join(house.root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "troupe"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
    chmodSync(join(bin, "troupe"), 0o755);
    const own = host.environment(server, home);
    // Without Gemini's relaunch, so that a kill reaches the host itself.
    env = { ...own, GEMINI_CLI_NO_RELAUNCH: "1", PATH: `${bin}:${own["PATH"]}`, TMPDIR: house.root };
    host.prepare?.(server, home);
    expect(await start(["troupe", "trust", "add"]).ended).toEqual({ code: 0, signal: null });
    expect(await start(host.adds).ended).toEqual({ code: 0, signal: null });
    host.besides?.(home);
  });
  afterAll(async () => {
    await house.leave();
    await server.stop();
  });
  beforeEach(() => server.reset());

  const start = (argv: Argv): Started => new Started(argv, { cwd: house.cwd, env });
  function ask(prompt: string): Started {
    const { argv, input } = host.asks(prompt);
    const asked = start(argv);
    asked.child.stdin.end(input);
    return asked;
  }
  const call = (name: string, args: object = {}) => ({ calls: [{ ...host.call(name), args }] });
  /** The last message to the model: the tool's result. */
  async function told(): Promise<string> {
    const requests = await server.requests();
    return saidTo(requests.at(-1) as ModelRequest).replaceAll("\\", "");
  }

  it("calls a workflow, and its model gets the output (H1)", async () => {
    await server.reply(call("hello"), { text: "Done." });
    const asked = ask("Say hello");
    expect(await asked.ended).toEqual({ code: 0, signal: null });
    expect(asked.lines.join("\n")).toContain("Done.");
    expect(await told()).toContain("Hello was said.");
  });

  it("is killed while a run waits, and the next host answers it (H2)", async () => {
    await server.reply(call("talk"), { text: "I wait.", delay: NEVER_MS });
    const killed = ask("Talk to them");
    await vi.waitUntil(async () => (await server.requests()).length === 2, { timeout: NEVER_MS });
    killed.kill();
    expect(await killed.ended).toEqual({ code: null, signal: "SIGKILL" });
    const waiting = await told();
    expect(waiting).toContain("troupe_run_answer");
    const listed = start(["troupe", "history", "--format", "json"]);
    await listed.ended;
    const [parked] = JSON.parse(listed.lines.join("")) as { id: string; workflow: string; status: string }[];
    expect(parked).toMatchObject({ workflow: "talk", status: "parked" });
    expect(waiting).toContain(parked!.id);

    await server.reset();
    const answer = (text: string) => call("troupe_run_answer", { run: parked!.id, text });
    await server.reply(answer("Ann"), answer(""), { text: "Answered." });
    const next = ask("Go on");
    expect(await next.ended).toEqual({ code: 0, signal: null });
    expect((await told()).split("troupe_run_answer").at(-1)).toContain("completed");
  });
});
