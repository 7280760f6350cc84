import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ProjectInputs } from "../../../actors/catalogue/project-inputs.ts";
import type { Input } from "../../../machines/workflow/document.ts";

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "troupe-project-inputs-")));
  mkdirSync(join(cwd, ".awf/workflows"), { recursive: true });
});
afterEach(() => rmSync(cwd, { recursive: true }));
const put = (text: string) => writeFileSync(join(cwd, ".awf/config.yaml"), text);

const input = (name: string, more: Partial<Input> = {}): Input => ({
  name,
  type: "string",
  required: true,
  validation: {},
  ...more,
});
const own = () => ({ awf: true, file: join(cwd, ".awf/workflows/a.yaml") });
const INPUTS = [input("who", { default: "file" }), input("n")];

test("stand in the place of defaults, and follow the file", () => {
  const project = new ProjectInputs();
  expect(project.into(INPUTS, own(), cwd)).toBe(INPUTS);
  put("inputs: {who: config, other: x}\ntelemetry: {exporter: y}\n");
  expect(project.into(INPUTS, own(), cwd)).toEqual([input("who", { default: "config" }), input("n")]);
  put("inputs: {n: 3, who: null}\n");
  expect(project.into(INPUTS, own(), cwd)).toEqual([input("who", { default: "file" }), input("n", { default: 3 })]);
});

test("are for the project's own workflows of AWF's places alone (I1)", () => {
  put("inputs: {who: config}\n");
  const project = new ProjectInputs();
  for (const found of [
    { awf: false, file: join(cwd, ".troupe/workflows/a.yaml") },
    { awf: true, file: "/home/u/.config/awf/workflows/a.yaml" },
  ]) {
    expect(project.into(INPUTS, found, cwd)).toBe(INPUTS);
  }
});

test("are not read through a link that leads out of the folder", () => {
  writeFileSync(join(cwd, "elsewhere.yaml"), "inputs: {who: config}\n");
  symlinkSync(join(cwd, "elsewhere.yaml"), join(cwd, ".awf/config.yaml"));
  expect(new ProjectInputs().into(INPUTS, own(), cwd)).toBe(INPUTS);
});

test.each([
  ["inputs: [", /config\.yaml:\d+:\d+: /],
  ["a: 1\ninputs: text\n", /config\.yaml:2:9: "inputs" must be a map/],
])("that cannot be understood are an error with its place (I2): %j", (text, message) => {
  put(text);
  expect(() => new ProjectInputs().into(INPUTS, own(), cwd)).toThrow(
    expect.objectContaining({ code: "USER.CONFIG.INVALID", message: expect.stringMatching(message) }),
  );
});
