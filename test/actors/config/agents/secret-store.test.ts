/**
 * Secrets of agents in the user's store of secrets. H5. The store that is asked here is a real GNOME Keyring in a session of
 * its own where this machine has one; what is said where there is none needs none.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseAgents } from "../../../../actors/config/agents/file.ts";
import { unlocked } from "../../../../actors/config/agents/secret-store.ts";

const WANTED = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"];
const HAS_STORE = WANTED.every((name) => spawnSync("which", [name]).status === 0);
const TSX = fileURLToPath(new URL("programs/unlock.ts", import.meta.url));

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-secrets-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const read = (env: string) =>
  parseAgents(`version: 1\nagents:\n  - {id: a, slug: mine, command: /bin/true, env: ${env}}\n`, {
    file: "/c/agents.yaml",
    environment: {},
    servers: [],
  });
function agentOf(env: string) {
  const [agent] = read(env).read?.agents ?? [];
  if (agent === undefined) throw new Error(JSON.stringify(read(env).findings));
  return agent;
}
const KEY = "{KEY: {secret_ref: {service: openai, account: me}}, PLAIN: x}";
function tool(script: string): string {
  mkdirSync(join(root, "bin"), { recursive: true });
  const file = join(root, "bin", "secret-tool");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return join(root, "bin");
}
async function unlock(environment: { [name: string]: string }, platform: NodeJS.Platform = "linux") {
  const learned: [string, unknown][] = [];
  const mask = { learn: (name: string, value: unknown) => void learned.push([name, value]) };
  const made = unlocked(agentOf(KEY), { environment: { HOME: root, ...environment }, mask, platform });
  return await made.then(
    (agent) => ({ env: agent.env, learned }),
    (error: Error & { code: string }) => ({ code: error.code, message: error.message, learned }),
  );
}

test("a value is looked up when its agent starts, and is masked (I1, I2)", async () => {
  expect(agentOf(KEY)).toMatchObject({ env: { PLAIN: "x" }, secrets: { KEY: { service: "openai", account: "me" } } });
  // It is asked by its attributes, as arguments.
  const PATH = tool('[ "$*" = "lookup service openai account me" ] && printf "a b;$DBUS_SESSION_BUS_ADDRESS"');
  expect(await unlock({ PATH, DBUS_SESSION_BUS_ADDRESS: "unix:x", OTHER_TOKEN: "t" })).toEqual({
    env: { PLAIN: "x", KEY: "a b;unix:x" },
    learned: [["config/agents/mine/KEY", "a b;unix:x"]],
  });
});

test.each([
  [
    "it knows no such secret",
    "exit 1",
    /there is no such secret; to keep it: secret-tool store --label mine service openai/,
  ],
  ["it cannot be reached", "echo 'secret-tool: no bus' >&2; exit 1", /the store cannot be asked: secret-tool: no bus/],
])("the agent does not start where %s (I3)", async (_, script, message) => {
  expect(await unlock({ PATH: tool(script) })).toEqual({
    code: "USER.AGENT.SECRET",
    message: expect.stringMatching(message),
    learned: [],
  });
});

test("nor without the program, nor where there is no such store (I3)", async () => {
  expect(await unlock({ PATH: join(root, "none") })).toMatchObject({
    message: expect.stringContaining("libsecret-tools"),
  });
  expect(await unlock({ PATH: tool("echo x") }, "darwin")).toMatchObject({
    message: expect.stringContaining("not supported here"),
  });
});

test.each(["{KEY: {secret_ref: {}}}", "{KEY: {secret_ref: text}}", "{KEY: {secret_ref: {service: ''}}}"])(
  "%s is a fault with its place",
  (env) => {
    expect(read(env).findings).toMatchObject([{ line: 3, expected: expect.any(String) }]);
  },
);

test.runIf(HAS_STORE)("a real GNOME Keyring has the secret (skipped where there is none)", () => {
  const script = [
    "printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1",
    "printf 'sk real;\"$x' | secret-tool store --label test service openai account me",
    `"${process.execPath}" --experimental-strip-types --no-warnings "${TSX}"`,
  ].join("\n");
  const env = { PATH: process.env["PATH"], HOME: root, XDG_RUNTIME_DIR: root, XDG_DATA_HOME: join(root, "data") };
  const said = execFileSync("dbus-run-session", ["--", "sh", "-ec", script], { env, encoding: "utf8", stdio: "pipe" });
  expect(JSON.parse(said)).toEqual({ PLAIN: "x", KEY: 'sk real;"$x' });
});
