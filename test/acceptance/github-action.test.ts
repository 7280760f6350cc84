/** The GitHub Action's step (.ci/action.mjs) with a runner's files, but without a runner. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { type House, openHouse } from "../support/house.ts";

const STEP = fileURLToPath(new URL("../../.ci/action.mjs", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../dist/troupe.js", import.meta.url));
const FORGED = "::error title=forged::from the agent";
const WORKFLOW = `name: forge
inputs: [{name: exit, type: integer, required: true}]
states:
  initial: say
  say: {type: command, command: "echo '\`\`\`'; echo '${FORGED}'; exit {{.inputs.exit}}", on_success: done}
  done: {type: terminal, status: success}
`;

const ASKING = `name: ask
states:
  initial: ask
  ask: {type: ask, message: Hello, questions: [{name: who, prompt: Who are you?}], on_success: done}
  done: {type: terminal, message: "Hello, {{.states.ask.JSON.who}}."}
`;

let house: House;
beforeEach(() => {
  house = openHouse([]);
  writeFileSync(join(house.cwd, ".troupe/workflows/forge.yaml"), WORKFLOW);
});
afterEach(() => house.leave());

/** Runs the step. Answers its lines of the log, the job summary, and its outputs by name. */
function step(inputs: string, trust: string, workflow = "forge") {
  const [summary, output] = [join(house.root, "summary"), join(house.root, "output")];
  for (const file of [summary, output]) writeFileSync(file, "");
  const files = { RUNNER_TEMP: house.root, GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output };
  const given = { TROUPE_ACTION_WORKFLOW: workflow, TROUPE_ACTION_INPUTS: inputs, TROUPE_ACTION_TRUST: trust };
  const env = { ...house.env, ...files, ...given };
  const done = spawnSync(process.execPath, [STEP, PROGRAM], { cwd: house.cwd, env, encoding: "utf8" });
  const lines = readFileSync(output, "utf8").trimEnd().split("\n");
  const outputs = Object.fromEntries(lines.map((line) => line.split("=") as [string, string]));
  return { code: done.status, log: done.stdout.split("\n"), summary: readFileSync(summary, "utf8"), outputs };
}

/** The commands that a runner obeys in a log. Between stop-commands and its token it obeys none. */
function obeyed(log: string[]): string[] {
  const commands: string[] = [];
  let token: string | null = null;
  for (const line of log.map((one) => one.trimStart())) {
    if (token !== null) {
      if (line === `::${token}::`) token = null;
    } else if (line.startsWith("::stop-commands::")) token = line.slice("::stop-commands::".length);
    else if (line.startsWith("::")) commands.push(line);
  }
  return commands;
}

test("a failure is an annotation and a summary; text that a workflow prints is never a command", () => {
  const { code, log, summary, outputs } = step("\n  exit=7\n\n", "true");
  expect(code).toBe(3);
  expect(log.some((line) => line.trim() === FORGED)).toBe(true);
  expect(obeyed(log)).toEqual([
    "::group::say",
    "::endgroup::",
    "::error title=say failed::the command ended with exit code 7%0A```%0A::error title=forged::from the agent",
  ]);
  expect(outputs).toMatchObject({ status: "failed", "exit-code": "3", run: expect.stringMatching(/./) });
  // The workflow's own fence ends nothing: ours is longer.
  expect(summary).toMatch(/^### ❌ ` forge ` failed in [\s\S]*\n````text\n[\s\S]*\n````\n/);
});

test("a success has no annotation", () => {
  const { code, log, outputs } = step("exit=0", "true");
  expect(code).toBe(0);
  expect(obeyed(log)).toEqual(["::group::say", "::endgroup::"]);
  expect(outputs).toMatchObject({ status: "completed", "exit-code": "0" });
});

test("a run that is parked is a warning with the command that answers it", () => {
  writeFileSync(join(house.cwd, ".troupe/workflows/ask.yaml"), ASKING);
  const { code, log, outputs } = step("", "true", "ask");
  expect([code, outputs["status"]]).toEqual([0, "parked"]);
  const [warning = ""] = obeyed(log).filter((line) => line.startsWith("::warning"));
  const [, command = ""] = /answer: (.*), in a later step of this job$/.exec(warning) ?? [];
  const answered = command.replace("…", "Ann").replace("troupe ", `"${process.execPath}" "${PROGRAM}" `);
  const { TROUPE_HOME: _, ...env } = house.env;
  const done = spawnSync("sh", ["-c", answered], { cwd: house.cwd, env, encoding: "utf8" });
  expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining("Hello, Ann.") });
});

test("without trust nothing runs", () => {
  const { code, log, outputs } = step("exit=0", "false");
  expect(code).toBe(5);
  expect(log.some((line) => line.trim() === FORGED)).toBe(false);
  expect(outputs).toMatchObject({ "exit-code": "5" });
});

test("later steps of a job find the program that was installed", () => {
  const action = fileURLToPath(new URL("../..", import.meta.url));
  const { runs } = parse(readFileSync(join(action, "action.yml"), "utf8")) as { runs: { steps: { run?: string }[] } };
  const install = runs.steps.find(({ run }) => run?.includes("npm install") === true)?.run ?? "";
  const [bin, path] = [join(house.root, "bin"), join(house.root, "path")];
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), "#!/bin/sh\n", { mode: 0o755 });
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    RUNNER_TEMP: house.root,
    GITHUB_ACTION_PATH: action,
    GITHUB_PATH: path,
  };
  expect(spawnSync("bash", ["-ec", install], { env, encoding: "utf8" })).toMatchObject({ status: 0 });
  expect(readFileSync(path, "utf8")).toBe(`${join(house.root, "troupe/node_modules/.bin")}\n`);
});
