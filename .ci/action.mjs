// The GitHub Action's one step (action.yml): runs a workflow, and reports to the runner. Plain JavaScript, no packages.
// Its argument is Troupe's program; the runner's files and the action's inputs come by the environment.
//   1. `troupe run` itself writes folds, errors and the job's summary. Here is what only its caller knows.
//   2. A state folder of its own: `@last` is this run, and no other step's.
//   3. The step ends as `troupe run` did.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, writeSync } from "node:fs";
import { join } from "node:path";

const program = process.argv[2];
const { env } = process;
const home = mkdtempSync(join(env["RUNNER_TEMP"], "troupe-home-"));
const childEnv = { ...env, TROUPE_HOME: home, GITHUB_ACTIONS: "true" };
for (const name of ["WORKFLOW", "INPUTS", "TRUST"]) delete childEnv[`TROUPE_ACTION_${name}`];

const say = (line) => writeSync(1, `${line}\n`);
/** Text as a command of the runner takes it; a property may hold neither `:` nor `,`. */
const data = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text) => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
const annotate = (level, title, text) => say(`::${level} title=${property(title)}::${data(text)}`);

const workflow = env["TROUPE_ACTION_WORKFLOW"];
const inputs = (env["TROUPE_ACTION_INPUTS"] ?? "").split("\n").filter((line) => line.trim() !== "");
const argv = ["run", "--output", "full", ...inputs.flatMap((line) => ["-i", line.replace(/^\s+|\r$/g, "")])];
if (env["TROUPE_ACTION_TRUST"] === "true") argv.push("--trust");

/** Runs the workflow to its end; a cancelled job's signals are handed on. Answers its exit code. */
async function run() {
  const child = spawn(process.execPath, [program, ...argv, "--", workflow], {
    env: childEnv,
    stdio: ["ignore", "inherit", "inherit"],
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 4));
  });
}

/** What a command of Troupe prints about the run, or null where there is none. */
function ask(...args) {
  const done = spawnSync(process.execPath, [program, ...args], {
    env: childEnv,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  return done.status === 0 ? done.stdout : null;
}

const code = await run();
const status = JSON.parse(ask("status", "@last", "--format", "json") ?? "null");
if (status === null) annotate("error", `Troupe: ${workflow}`, `no run began (exit code ${code}); the log says why`);
if (status !== null && code !== 0 && status.failed.length === 0)
  annotate("error", `Troupe: ${workflow}`, status.error?.message ?? `${status.status}, exit code ${code}`);
if (status?.status === "parked")
  annotate(
    "warning",
    `Troupe: ${workflow}`,
    `the run waits for an answer: TROUPE_HOME=${home} troupe resume ${status.id} --answer "…", in a later step of this job`,
  );

const outputs = { run: status?.id ?? "", status: status?.status ?? "refused", "exit-code": code, home };
for (const [name, value] of Object.entries(outputs)) appendFileSync(env["GITHUB_OUTPUT"], `${name}=${value}\n`);
process.exit(code);
