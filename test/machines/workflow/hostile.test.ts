import { describe, expect, it } from "vitest";
import type { Finding } from "../../../machines/workflow/finding.ts";
import { FILE_LIMITS, type FileLimits } from "../../../machines/workflow/limits.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";
import { HOSTILE_FILES } from "../../support/hostile-files.ts";

type Options = { awf?: boolean; limits?: Partial<FileLimits>; templateSource?: (name: string) => string | null };
const parse = (source: string, { awf = false, limits, ...options }: Options = {}) =>
  parseWorkflow(source, { file: "/w.yaml", awf, limits: { ...FILE_LIMITS, ...limits }, ...options });
const told = ({ findings }: { findings: Finding[] }) =>
  findings.map(({ severity, message }) => `${severity}: ${message}`);

const END = "  done: {type: terminal, status: success}\n";
const workflow = (states: string, head = "") => `name: w\n${head}states:\n  initial: done\n${states}${END}`;
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, k) => line(k)).join("");

describe("a file made to be as bad as possible", () => {
  // These take a tenth of a second. Checks that compare each with each took seconds to minutes: the margin is wide.
  it.each(Object.entries(HOSTILE_FILES))("costs no more than its size: %s", (_, make) => {
    const source = make(64 * 1024);
    const before = process.cpuUsage();
    const { findings } = parse(source);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2_000);
    expect(findings.length).toBeLessThanOrEqual(FILE_LIMITS.findings + 1);
    expect(JSON.stringify(findings).length).toBeLessThan(512 * 1024);
  });

  it("lists a limited number of findings and counts the rest", () => {
    const { findings, workflow: document } = parse(
      workflow(
        "",
        lines(150, (k) => `z${k}: 1\n`),
      ),
    );
    expect(findings.length).toBe(FILE_LIMITS.findings + 1);
    expect(findings.at(-1)).toMatchObject({
      code: "WORKFLOW.PARSE.LIMIT_EXCEEDED",
      severity: "error",
      message: "and 50 more",
    });
    expect(document).toBeNull();
  });

  it("counts further warnings in a warning, and a further error in an error", () => {
    const many = lines(150, (k) => `z${k}: 1\n`);
    const warned = parse(workflow("", many), { awf: true });
    expect(told(warned).at(-1)).toBe("warning: and 50 more");
    expect(warned.workflow).not.toBeNull();
    const broken = parse(workflow("  a: {type: command, command: a, on_success: nowhere}\n", many), { awf: true });
    expect(told(broken).at(-1)).toBe("error: and 52 more");
    expect(broken.workflow).toBeNull();
  });

  it.each([
    ["keys and items", { nodes: 5 }, workflow("")],
    ["keys and items", { nodes: 20 }, workflow("", "tags: &t [a, a, a, a, a]\nx: [*t, *t, *t]\n")],
    ["states", { states: 1 }, workflow("")],
    ["inputs", { inputs: 1 }, workflow("", "inputs: [{name: a}, {name: b}]\n")],
  ] as const)("has a limit for %s", (what, limits, source) => {
    const most = Object.values(limits)[0];
    expect(told(parse(source, { limits }))).toEqual([`error: more than ${most} ${what}`]);
  });

  it("has a depth limit for containers, which one that contains itself does not reach", () => {
    const nested = (levels: number, last: string) =>
      workflow(
        lines(levels, (k) => `  p${k}: {type: parallel, parallel: [${k === levels - 1 ? last : `p${k + 1}`}]}\n`),
      );
    const message = `error: loops and parallels stand in each other more than ${FILE_LIMITS.depth} levels deep`;
    expect(told(parse(nested(FILE_LIMITS.depth + 1, "done")))).toEqual([message]);
    expect(told(parse(nested(FILE_LIMITS.depth, "done")))).not.toContain(message);
    expect(told(parse(nested(5, "p0")))).not.toContain(message);
  });

  it("has a limit for the keys that templates add, and reads each template once", () => {
    let read = 0;
    const templateSource = (name: string) => {
      read += 1;
      return `name: ${name}\nstates:\n  s: {type: command, command: a, hooks: {pre: [{log: a}, {log: b}]}}\n`;
    };
    const source = workflow(lines(20, (k) => `  a${k}: {use_template: t, on_success: done}\n`));
    const { findings } = parse(source, { templateSource, limits: { nodes: 150 } });
    expect(told({ findings })).toContain("error: templates put in more than 150 keys and items");
    expect(read).toBe(1);
  });

  it("keeps messages, paths and keys short", () => {
    const long = "k".repeat(2_000);
    expect(told(parse(workflow("", `? ${long}\n: 1\n`)))).toEqual(["error: a key has at most 1024 characters"]);
    const { findings } = parse(workflow(`  a: {type: command, command: a, on_success: "${long}"}\n`));
    for (const { message, path, expected = "" } of findings) {
      expect(Math.max(message.length, path.length, expected.length)).toBeLessThanOrEqual(1_000);
    }
  });

  it("refuses a pattern that is too long to compile", () => {
    const source = workflow("", `inputs: [{name: a, validation: {pattern: '${"a".repeat(1_001)}'}}]\n`);
    expect(told(parse(source))).toEqual([
      'error: "pattern" is not a regular expression: it is longer than 1000 characters',
    ]);
  });
});
