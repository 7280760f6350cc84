/** `actors/schedules/reading.ts`: what a schedule reads, and that only what was compared is run. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../actors/base/clock.ts";
import { looksWithoutStore } from "../../../actors/facade/workflows.ts";
import { NO_MASKING } from "../../../actors/masking/masking.ts";
import { changedFiles, filesOf, type ReadingHost, sealed } from "../../../actors/schedules/reading.ts";
import { namedFilesOf } from "../../../actors/trust/named-files.ts";
import type { Schedule } from "../../../machines/schedule/schedule.ts";

let root: string;
let cwd: string;
let host: ReadingHost;
const write = (path: string, text: string): void => writeFileSync(join(cwd, ".troupe", path), text);
const DONE = "on_success: done}\n  done: {type: terminal}\n";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-reading-")));
  cwd = join(root, "repo");
  for (const folder of ["workflows", "templates"]) mkdirSync(join(cwd, ".troupe", folder), { recursive: true });
  const environment = { HOME: root, TROUPE_TRUST: "1" };
  const { catalogue } = looksWithoutStore({
    environment,
    clock: systemClock,
    mask: NO_MASKING,
    extensions: {},
    ephemeral: false,
  });
  host = { catalogue, named: namedFilesOf({ catalogue, environment, limits: () => ({ fileBytes: 1_000_000 }) }) };
  write(
    "templates/say.yaml",
    "name: say\nparameters: []\nstates:\n  initial: say\n  say: {type: step, command: echo one}\n",
  );
  write("workflows/run.sh", "echo run\n");
  write("workflows/ask.md", "Look at it.\n");
  write("workflows/inner.sh", "echo inner\n");
  write(
    "workflows/called.yaml",
    `name: called\nstates:\n  initial: a\n  a: {type: command, script_file: inner.sh, ${DONE}`,
  );
  write(
    "workflows/w.yaml",
    `name: w\nstates:\n  initial: a\n  a: {type: command, script_file: run.sh, on_success: b}\n  b: {type: agent, provider: claude, prompt_file: ask.md, on_success: c}\n  c: {type: call_workflow, workflow: called, ${DONE}`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function enabled(): Promise<Schedule> {
  const loaded = await host.catalogue.load(cwd, "w");
  return { cwd, workflow: "w", files: await filesOf(host, loaded, cwd) } as Schedule;
}
const path = (name: string): string => join(cwd, ".troupe", "workflows", name);

test("I1: its own file, its script, its prompt, what it calls, and what that names", async () => {
  const schedule = await enabled();
  expect(schedule.files.map((file) => file.path)).toEqual(
    ["w.yaml", "run.sh", "ask.md", "called.yaml", "inner.sh"].map(path),
  );
  expect(await changedFiles(host, schedule)).toEqual([]);
});

test.each(["run.sh", "ask.md", "inner.sh"])("a change of %s is named", async (name) => {
  const schedule = await enabled();
  write(`workflows/${name}`, "other");
  expect(await changedFiles(host, schedule)).toEqual([path(name)]);
});

test("I1: a step template is part of the file that uses it", async () => {
  write("workflows/w.yaml", `name: w\nstates:\n  initial: a\n  a: {type: command, use_template: say, ${DONE}`);
  const schedule = await enabled();
  write(
    "templates/say.yaml",
    "name: say\nparameters: []\nstates:\n  initial: say\n  say: {type: step, command: echo evil}\n",
  );
  expect(await changedFiles(host, schedule)).toEqual([path("w.yaml")]);
});

test("a comment is a change, and so is a file that is not there any more", async () => {
  const text = readFileSync(path("w.yaml"), "utf8");
  const schedule = await enabled();
  write("workflows/w.yaml", `${text}# more\n`);
  expect(await changedFiles(host, schedule)).toEqual([path("w.yaml")]);
  write("workflows/w.yaml", text);
  expect(await changedFiles(host, schedule)).toEqual([]);
  rmSync(path("run.sh"));
  expect(await changedFiles(host, schedule)).toEqual([path("run.sh")]);
  rmSync(path("w.yaml"));
  expect(await changedFiles(host, schedule)).toEqual([path("w.yaml")]);
});

test("I2: changed between the look and the start, it is not given out; another workflow is, as always", async () => {
  const schedule = await enabled();
  const catalogue = sealed(host, schedule);
  expect((await catalogue.load(cwd, "w")).id).toBe("w");
  write("workflows/run.sh", "echo evil\n");
  await expect(catalogue.load(cwd, "w")).rejects.toMatchObject({
    code: "USER.SCHEDULE.CHANGED",
    details: { files: [path("run.sh")] },
  });
  expect((await host.catalogue.load(cwd, "w")).id).toBe("w");
  expect((await catalogue.load(cwd, "called", path("w.yaml"))).id).toBe("called");
});

test("more files than are compared are refused, in words about schedules", async () => {
  const names = Array.from({ length: 101 }, (_, n) => `s${n}`);
  const steps = names.map(
    (name, n) => `  ${name}: {type: command, script_file: ${name}.sh, on_success: ${names[n + 1] ?? "done"}}\n`,
  );
  write("workflows/w.yaml", `name: w\nstates:\n  initial: s0\n${steps.join("")}  done: {type: terminal}\n`);
  await expect(enabled()).rejects.toMatchObject({ code: "USER.SCHEDULE.TOO_MANY_FILES" });
});
