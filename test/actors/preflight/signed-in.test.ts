/** Covers I1 and I2 of `signed-in.ts`: programs are real ones that say what the agents' own say, and other things. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { preflightOf } from "../../../actors/preflight/preflight.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

const OUT = '{\n  "loggedIn": false,\n  "authMethod": "none",\n  "apiProvider": "firstParty"\n}';
const IN = OUT.replace("false", "true");

/** A home, and programs of these names whose script says this. */
function place(programs: { [name: string]: string }) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "troupe-signed-in-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const bin = join(home, "bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$@ in $PWD" >> "${home}/asked"\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const asked = () => (existsSync(join(home, "asked")) ? readFileSync(join(home, "asked"), "utf8") : "");
  return { home, asked, env: { HOME: home, PATH: `${bin}:/usr/bin:/bin` } };
}
const says = (words: string, code = 1): string => `cat <<'END'\n${words}\nEND\nexit ${code}`;

async function foundIn(env: NodeJS.ProcessEnv, provider: string, options = "{}", steps = 1): Promise<string[]> {
  const step = (n: number) =>
    `  s${n}: {type: agent, provider: ${provider}, prompt: x, options: ${options}, on_success: ${n < steps ? `s${n + 1}` : "z"}}`;
  const source = [
    "name: w\nstates:\n  initial: s1",
    ...Array.from({ length: steps }, (_, n) => step(n + 1)),
    "  z: {type: terminal}\n",
  ].join("\n");
  const { workflow } = parseWorkflow(source, { file: null, awf: false });
  if (workflow === null) throw new Error("no workflow");
  const preflight = preflightOf({
    catalogue: { load: () => Promise.reject(new Error("nothing is called")) },
    environment: env,
    operations: {},
    providers: [provider],
    config: () => ({}) as never,
  });
  const findings = await preflight.check({ workflow, source }, { cwd: "/", inputs: {}, servers: [] });
  return findings.map(({ code, message, expected, severity, refuses }) =>
    [code, severity, refuses === true ? "refuses" : "", message, expected ?? ""].join(" | "),
  );
}

test.each([
  ["claude", OUT, "Claude Code", "`claude auth login`, or set ANTHROPIC_API_KEY", "auth status"],
  ["codex", "WARNING: something\nNot logged in", "Codex", "`codex login`", "login status"],
])("%s says that no one is: a warning that keeps a run from beginning, asked once, from home", async (...told) => {
  const [provider, words, name, signIn, asks] = told;
  const { env, home, asked } = place({ [provider]: says(words) });
  const found = `USER.AGENT.NOT_SIGNED_IN | warning | refuses | no one is signed in to ${name} here | a sign-in: ${signIn}`;
  // One cause, one message.
  expect(await foundIn(env, provider, "{}", 3)).toEqual([found.replace(" | a", '; steps "s2", "s3" need it too | a')]);
  expect(asked()).toBe(`${asks} in ${home}\n`);
});

test.each([
  ["a user is", "claude", says(IN, 0)],
  ["it does not know the question", "claude", says("error: unknown command 'auth'")],
  ["it says more than the answer", "claude", says(`${OUT}\nand then some`)],
  ["it says nothing", "codex", "exit 1"],
  ["it says too much", "codex", "echo Not logged in; head -c 100000 /dev/zero"],
  ["it dies", "codex", "echo Not logged in; kill -9 $$"],
])("what it cannot tell is taken as signed in: %s", async (_, provider, script) => {
  const { env, asked } = place({ [provider]: script });
  expect(await foundIn(env, provider)).toEqual([]);
  expect(asked()).not.toBe("");
});

test.each([
  ["a key of the user's", "claude", { ANTHROPIC_API_KEY: "k" }, "{}", ""],
  ["a token of the user's", "claude", { CLAUDE_CODE_OAUTH_TOKEN: "k" }, "{}", ""],
  ["credentials", "claude", {}, "{}", ".claude/.credentials.json"],
  ["a step that sets its environment", "claude", {}, "{env: {ANTHROPIC_API_KEY: k}}", ""],
  ["a key of the user's", "codex", { CODEX_API_KEY: "k" }, "{}", ""],
  ["credentials", "codex", {}, "{}", ".codex/auth.json"],
  ["another provider of models", "codex", {}, "{}", ".codex/config.toml"],
])("with %s %s is not asked", async (_, provider, more, options, file) => {
  const { env, home, asked } = place({ claude: says(OUT), codex: says("Not logged in") });
  if (file !== "") {
    mkdirSync(join(home, file, ".."), { recursive: true });
    writeFileSync(join(home, file), 'model_provider = "mine"');
  }
  expect(await foundIn({ ...env, ...more }, provider, options)).toEqual([]);
  expect(asked()).toBe("");
});

test("a program that the working directory decides is not asked", async () => {
  const { env, asked } = place({});
  expect(await foundIn({ ...env, PATH: "bin:/usr/bin" }, "claude")).toEqual([
    expect.stringContaining("USER.AGENT.NOT_INSTALLED"),
  ]);
  expect(asked()).toBe("");
});
