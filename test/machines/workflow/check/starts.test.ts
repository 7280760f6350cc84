/** `on` of a workflow: what is read of it, and each fault at its place. */
import { expect, it } from "vitest";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";

const parsed = (on: string, { inputs = "", awf = false } = {}) =>
  parseWorkflow(
    `name: w
on: ${on}
inputs: [${inputs}]
states:
  initial: say
  say: {type: command, command: "true", on_success: done}
  done: {type: terminal}
`,
    { file: null, awf },
  );
const faults = (on: string, inputs = "") =>
  parsed(on, { inputs }).findings.map(({ message, path, severity }) => `${severity} ${path}: ${message}`);

it("a time, in a zone or none; files, as text, list or map", () => {
  const rest = { missed: "tell", overlap: "skip", inputs: {} };
  expect(parsed('{schedule: "0 6 * * *"}').workflow?.on).toEqual({
    times: [{ cron: "0 6 * * *" }],
    files: null,
    ...rest,
  });
  expect(parsed('{schedule: [{cron: "0 6 * * *", zone: UTC}, "5 * * * *"]}').workflow?.on?.times).toEqual([
    { cron: "0 6 * * *", zone: "UTC" },
    { cron: "5 * * * *" },
  ]);
  expect(parsed("{file_changed: src/**}").workflow?.on?.files).toEqual({ paths: ["src/**"], ignore: [] });
  expect(parsed('{file_changed: ["*.a", "*.b"]}').workflow?.on?.files).toEqual({ paths: ["*.a", "*.b"], ignore: [] });
  const { on } =
    parsed('{file_changed: {paths: "*.a", ignore: x, input: f}, missed: run, overlap: allow, inputs: {f: 1}}', {
      inputs: "{name: f, type: string}",
    }).workflow ?? {};
  expect(on).toEqual({
    times: [],
    files: { paths: ["*.a"], ignore: ["x"], input: "f" },
    missed: "run",
    overlap: "allow",
    inputs: { f: 1 },
  });
});

it.each([
  ["{}", 'error on: "on" names nothing that starts the workflow'],
  ['{schedule: "61 * * * *"}', 'error on.schedule: "61 * * * *" is no time of cron: Invalid value for minute: 61'],
  ['{schedule: ["0 6 * * *", "0 6 * *"]}', "error on.schedule[1]: "],
  ['{schedule: {cron: "0 0 30 2 *"}}', 'error on.schedule.cron: "0 0 30 2 *" is no time of cron: there is no such day'],
  [
    '{schedule: [{cron: "0 6 * * *", zone: Europe/Zurch}]}',
    'error on.schedule[0].zone: there is no time zone "Europe/Zurch"',
  ],
  ["{schedule: 6}", 'error on.schedule: "schedule" must be five fields'],
  [
    "{file_changed: ../x/**}",
    'error on.file_changed: the glob "../x/**" cannot be used: it leads out of the repository',
  ],
  ["{file_changed: [src/**, /etc/*]}", 'error on.file_changed[1]: the glob "/etc/*" cannot be used'],
  ["{file_changed: {paths: [a], ignore: [~/b]}}", 'error on.file_changed.ignore[0]: the glob "~/b" cannot be used'],
  ["{file_changed: []}", 'error on.file_changed: "file_changed" names no file'],
  ['{schedule: "0 6 * * *", missed: perhaps}', 'error on.missed: "missed" must be one of tell, run'],
  ['{schedule: "0 6 * * *", inputs: {nope: 1}}', 'error on.inputs.nope: there is no input "nope"'],
  ['{schedule: "0 6 * * *", every: day}', 'error on.every: "every" is not known here'],
])("%s", (on, fault) => {
  const found = faults(on);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(fault);
});

it("nobody is asked: what is required has a default, or a value here", () => {
  const needed = "{name: f, type: string, required: true}";
  const fault = ['error on: nobody is asked for the input "f" when the workflow starts by itself'];
  expect(faults('{schedule: "0 6 * * *"}', needed)).toEqual(fault);
  expect(faults('{schedule: "0 6 * * *", inputs: {f: x}}', needed)).toEqual([]);
  expect(faults("{file_changed: {paths: a, input: f}}", needed)).toEqual([]);
  // At a time no file has changed.
  expect(faults('{schedule: "0 6 * * *", file_changed: {paths: a, input: f}}', needed)).toEqual(fault);
});

it("what its runs are given is what the inputs take", () => {
  const inputs = "{name: n, type: integer}, {name: m, validation: {enum: [a, b]}}";
  const on = (given: string) => faults(`{schedule: "0 6 * * *", inputs: {${given}}}`, inputs);
  expect(on("n: 3, m: a")).toEqual([]);
  expect(on("n: x, m: c")).toEqual([
    'error on.inputs.n: input "n" is "x": expected a whole number',
    'error on.inputs.m: input "m" is "c": expected one of a, b',
  ]);
});

it("in one of AWF's places it is a warning, and the file loads as before", () => {
  const { findings, workflow } = parsed('{schedule: "61 * * * *"}', { awf: true });
  expect(findings.map(({ severity }) => severity)).toEqual(["warning"]);
  expect(workflow?.name).toBe("w");
});
