/**
 * `sandbox: workspace`: what an agent can reach, tried by a real agent in a real sandbox. Skipped, with this name, where
 * the machine has no bubblewrap that works; that an agent does not start there is tested everywhere.
 *
 * B1. The workspace can be written, and nothing else: not the home, not what configures what runs, not by a link.
 * B2. Keys and what is Troupe's own cannot be read.
 * B3. A command that the agent has Troupe run is in the sandbox too.
 * B4. Where there is no sandbox, or bubblewrap comes from the workspace, the agent does not start: an error with a code.
 * B5. What it started ends with it.
 * B6. A server whose credentials stay with us is reached from it, whatever its transport.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { mcpOver } from "../support/mcp-over-http.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));
const ECHO = fileURLToPath(new URL("../support/model-server/mcp-echo.mjs", import.meta.url));
const WORKS = spawnSync("bwrap", [
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--unshare-pid",
  "/bin/true",
]);
const hasSandbox = WORKS.status === 0;

let house: House;
let home: string;
beforeEach(() => {
  house = openHouse([]);
  // Not below /tmp, which is another one in a sandbox.
  mkdirSync(join(PROJECT, ".vitest"), { recursive: true });
  home = realpathSync(mkdtempSync(join(PROJECT, ".vitest", "home-")));
  house.env["HOME"] = home;
  Object.assign(house.env, { TROUPE_TRUST: "1", TROUPE_TRUST_AGENTS: "boxed" });
});
afterEach(async () => {
  await house.leave();
  rmSync(home, { recursive: true, force: true });
});

async function configure(sandbox: string, more: object = {}, servers: object = {}): Promise<void> {
  const folder = join(home, ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  const boxed = { command: process.execPath, args: [AGENT], files: "write", terminal: true, sandbox, ...more };
  writeFileSync(
    join(folder, "config.yaml"),
    JSON.stringify({ agents: { acp: { boxed } }, mcp_servers: servers, permissions: { default: "allow" } }),
  );
}
/** What the agent said after these words, or the fault. */
async function said(prompt: string): Promise<{ code: number | null; told: string }> {
  const step = { type: "agent", agent: "boxed", prompt, on_success: "done" };
  const states = { initial: "first", first: step, done: { type: "terminal" } };
  writeFileSync(join(house.cwd, ".troupe", "workflows", "it.yaml"), JSON.stringify({ name: "it", states }));
  const run = house.troupe(["run", "it"]);
  const { code } = await run.ended;
  return { code, told: run.stderr + run.lines.join("\n") };
}
/** By a command of the agent itself, in its process, and by one that it has Troupe run. */
const ways = [
  ["exec", "in its own process"],
  ["run", "run by Troupe"],
] as const;

describe.skipIf(!hasSandbox)("in a sandbox (skipped where bubblewrap does not work)", () => {
  test.each(ways)("the workspace can be written and nothing else (B1, B3): %s", async (word) => {
    await configure("workspace");
    mkdirSync(join(house.cwd, ".git", "hooks"), { recursive: true });
    symlinkSync(home, join(house.cwd, "out"));
    const hook = join(house.cwd, ".git", "hooks", "pre-commit");
    const targets = ["in", hook, join(home, "out"), "out/link", join(house.cwd, ".troupe", "workflows", "evil.yaml")];
    const { told } = await said(targets.map((target) => `${word} echo x > ${target} && echo wrote`).join("\n"));
    expect(readFileSync(join(house.cwd, "in"), "utf8")).toBe("x\n");
    for (const path of [hook, join(home, "out"), join(home, "link"), targets[4] ?? ""])
      expect(existsSync(path)).toBe(false);
    // A temporary folder of its own can be written, and is nowhere.
    expect(told.match(/wrote/g)).toHaveLength(1);
  });

  test.each(ways)(
    "git's own folder is not put in another's place, nor what says where it is (B1): %s",
    async (word) => {
      await configure("workspace");
      const git = (...args: string[]) => spawnSync("git", ["-C", house.cwd, ...args], { encoding: "utf8" });
      git("init", "-q");
      mkdirSync(join(house.cwd, ".git", "worktrees", "other"), { recursive: true });
      const pointer = join(house.cwd, ".git", "worktrees", "other", "commondir");
      writeFileSync(pointer, "../..\n");
      const evil = "mkdir evil && printf '[core]\\n\\tfsmonitor = touch ran\\n' > evil/config";
      const moved = "mv .git old && cp -r old .git && rm -f .git/config && cp evil/config .git/config";
      const { told } = await said(
        [`${word} ${evil} && echo made`, `${word} ${moved}; true`, `${word} echo ../../evil > ${pointer}; true`].join(
          "\n",
        ),
      );
      expect(told).toContain("made");
      expect([readFileSync(pointer, "utf8"), existsSync(join(house.cwd, "old"))]).toEqual(["../..\n", false]);
      expect(git("config", "core.fsmonitor").stdout).toBe("");
      // What an agent does there every day it can do.
      await said(`${word} git add evil; git -c user.name=a -c user.email=a@b commit -qm one`);
      expect(git("log", "--oneline").stdout).toMatch(/one/);
    },
  );

  test.each(ways)("a repository without a folder for hooks gets none from it (B1): %s", async (word) => {
    await configure("workspace");
    spawnSync("git", ["-C", house.cwd, "init", "-q", "--template="]);
    const git = join(house.cwd, ".git");
    expect([existsSync(join(git, "hooks")), existsSync(join(git, "info"))]).toEqual([false, false]);
    const evil = `mkdir -p ${git}/hooks && echo x > ${git}/hooks/pre-commit && echo wrote`;
    const { told } = await said(
      `${word} ${evil}; true\n${word} echo x > ${git}/info/attributes && echo wrote; true\n${word} echo tried`,
    );
    expect([told.includes("tried"), told.includes("wrote")]).toEqual([true, false]);
    expect([readdirSync(join(git, "hooks")), readdirSync(join(git, "info"))]).toEqual([[], []]);
  });

  test.each(ways)("a tree's pointer to its repository is not replaced (B1): %s", async (word) => {
    await configure("workspace");
    writeFileSync(join(house.cwd, ".git"), `gitdir: ${join(home, "repository")}\n`);
    await said(`${word} rm -f .git; mv .git x; echo gitdir: evil > .git; true`);
    expect(readFileSync(join(house.cwd, ".git"), "utf8")).toContain("repository");
  });

  test.each(ways)("keys and what is Troupe's own cannot be read (B2, B3): %s", async (word) => {
    await configure("workspace");
    mkdirSync(join(home, ".ssh"));
    writeFileSync(join(home, ".ssh", "id_ed25519"), "canary-key");
    writeFileSync(join(home, ".netrc"), "canary-netrc");
    const secret = [
      join(home, ".ssh", "id_ed25519"),
      join(home, ".netrc"),
      join(home, ".config", "troupe", "config.yaml"),
    ];
    const { code, told } = await said(
      [...secret.map((path) => `${word} cat ${path}; true`), `${word} ls ${dirname(house.store)}`].join("\n"),
    );
    expect(code).toBe(0);
    expect(told).not.toMatch(/canary|"boxed"|troupe\.db/);
    // Without it they can: the test sees what it says it sees.
    await configure("none");
    expect((await said(`${word} cat ${secret[0]}`)).told).toContain("canary-key");
  });

  test("a conversation with it is in the sandbox too (B1, B2)", async () => {
    await configure("workspace");
    mkdirSync(join(home, ".ssh"));
    writeFileSync(join(home, ".ssh", "id_ed25519"), "canary-key");
    const attack = `exec cat ${join(home, ".ssh", "id_ed25519")}; echo x > ${join(home, "out")}; echo x > in`;
    const chat = house.troupe(["chat", "boxed", "-p", attack]);
    const { code } = await chat.ended;
    expect([code, readFileSync(join(house.cwd, "in"), "utf8")]).toEqual([0, "x\n"]);
    expect(existsSync(join(home, "out"))).toBe(false);
    expect(chat.lines.join("\n")).not.toContain("canary");
  });

  test("servers whose credentials stay with us are reached from it, in a process of ours and over HTTP (B6)", async () => {
    const far = await mcpOver("canary-header");
    const env = { MCP_MARK: "canary-variable" };
    const servers = {
      near: { command: process.execPath, args: [ECHO], env },
      far: { type: "http", url: far.url, headers: { Authorization: "Bearer canary-header" } },
    };
    await configure("workspace", { mcp_servers: ["near", "far"] }, servers);
    const { told } = await said("tool near\ntool near\ntool far\nservers");
    // Each has its credentials, which are hidden where they are repeated; the agent was handed none of them.
    expect(told.match(/pong from mcp \(\) env=\*\*\*/g)).toHaveLength(2);
    expect(told).toContain("pong over http as ***");
    expect(far.methods.slice(0, 3)).toEqual(["initialize", "notifications/initialized", "tools/call"]);
    expect(told).not.toContain("canary");
    expect(told).not.toContain(far.url);
  });

  test("what else may be written is named (B1)", async () => {
    const more = join(house.root, "more");
    mkdirSync(more);
    await configure("workspace", { sandbox_write: [more] });
    await said(`exec echo x > ${more}/file`);
    expect(readFileSync(join(more, "file"), "utf8")).toBe("x\n");
  });

  test("the doctor starts it in one, where not even Troupe's own folder can be written (B1)", async () => {
    await configure("workspace", {
      args: ["-e", "require('fs').writeFileSync(process.env.HOME + '/.config/troupe/evil', '')"],
    });
    const doctor = house.troupe(["agents", "doctor", "boxed"]);
    await doctor.ended;
    expect(existsSync(join(home, ".config", "troupe", "evil"))).toBe(false);
  });

  test("what it started ends with it (B5)", async () => {
    await configure("workspace");
    const { code } = await said("exec setsid sleep 4242 >/dev/null 2>&1 & echo started");
    expect(code).toBe(0);
    const left = spawnSync("pgrep", ["-f", "sleep 4242"], { encoding: "utf8" }).stdout;
    expect(left).toBe("");
  });
});

test("without bubblewrap, or with the workspace's, the agent does not start (B4)", async () => {
  await configure("workspace", { env: { AGENT_LOG: join(house.root, "log") } });
  const bin = join(house.root, "bin");
  mkdirSync(bin);
  for (const name of ["sh", "env"]) symlinkSync(`/bin/${name}`, join(bin, name));
  const starts = async (path: string): Promise<string> => {
    house.env["PATH"] = path;
    const { code, told } = await said("say hello");
    expect(code).not.toBe(0);
    expect(existsSync(join(house.root, "log"))).toBe(false);
    return told;
  };
  expect(await starts(bin)).toMatch(/USER\.AGENT\.SANDBOX[\s\S]*no program bwrap on your PATH/);
  const fake = join(house.cwd, "bin");
  mkdirSync(fake);
  writeFileSync(
    join(fake, "bwrap"),
    '#!/bin/sh\nfor last; do :; done; [ "$last" = inside ] && echo inside && exit\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n',
  );
  chmodSync(join(fake, "bwrap"), 0o755);
  expect(await starts(`${fake}:${bin}`)).toMatch(/USER\.AGENT\.SANDBOX[\s\S]*lies in the workspace/);
  // One that cannot make a sandbox is none.
  writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho 'No permissions to create a new namespace' >&2; exit 1\n", {
    mode: 0o755,
  });
  expect(await starts(bin)).toMatch(/USER\.AGENT\.SANDBOX[\s\S]*No permissions to create a new namespace/);
});
