/** What can be run and what cannot: listed, and validated. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MOST_CHECKED } from "../../../actors/catalogue/catalogue.ts";
import { BROKEN } from "./refusals.ts";
import { house, workflow } from "./support.ts";

describe("list", () => {
  test("I2: what can be run and what cannot, with its place", async () => {
    const { catalogue, cwd, write } = house();
    const good = write(
      "work/.troupe/workflows/good.yaml",
      workflow("Good one", "description: does good\nversion: 1.10\ninputs: [{name: file, required: true}]\n"),
    );
    const bad = write("work/.troupe/workflows/bad.yaml", BROKEN);
    const big = write("work/.troupe/workflows/big.yaml", `name: big\n# ${"x".repeat(1024 * 1024)}\n`);
    const empty = write("work/.troupe/workflows/empty.yaml", "");
    const rest = { description: "", version: null, source: "troupe", inputs: [] };
    expect(await catalogue.list(cwd)).toEqual([
      {
        ...rest,
        id: "bad",
        name: "bad",
        file: bad,
        fault: {
          code: "WORKFLOW.VALIDATION.MISSING_STATE",
          message: '.troupe/workflows/bad.yaml:4:43: state "b" does not exist: expected one of a, c (and 1 more)',
        },
      },
      {
        ...rest,
        id: "big",
        name: "big",
        file: big,
        fault: {
          code: "WORKFLOW.PARSE.LIMIT_EXCEEDED",
          message: ".troupe/workflows/big.yaml:1:1: the file is larger than 1048576 bytes",
        },
      },
      {
        ...rest,
        id: "empty",
        name: "empty",
        file: empty,
        fault: {
          code: "WORKFLOW.PARSE.INVALID_FIELD",
          message: ".troupe/workflows/empty.yaml:1:1: the file is empty: expected name and states",
        },
      },
      {
        ...rest,
        id: "good",
        name: "Good one",
        description: "does good",
        version: "1.10",
        file: good,
        inputs: [{ name: "file", type: "string", required: true, validation: {} }],
        fault: null,
      },
    ]);
  });

  test("I2: many files are listed by their heads, and those without a sure head are checked", async () => {
    const { catalogue, cwd, write } = house();
    for (let index = 0; index <= MOST_CHECKED; index += 1)
      write(`work/.troupe/workflows/w${index}.yaml`, workflow(`n${index}`));
    write("work/.troupe/workflows/bad.yaml", "name: [\n");
    const listed = await catalogue.list(cwd);
    expect(listed.length).toBe(MOST_CHECKED + 2);
    expect(listed.filter(({ fault }) => fault !== null).map(({ id }) => id)).toEqual(["bad"]);
    expect(listed.find(({ id }) => id === "w7")?.name).toBe("n7");
  });

  test("T6: what a hostile repository offers is only read", async () => {
    const { catalogue, cwd, root, write } = house();
    const mark = join(root, "pwned");
    const touch = `touch ${mark}`;
    write(
      "work/.troupe/workflows/a.yaml",
      `name: a\nstates:\n  initial: a\n  a: {type: step, command: "${touch}", on_success: b}\n  b: {type: terminal, message: "{{readFile \\"/etc/passwd\\"}}"}\n`,
    );
    write("work/.troupe/workflows/b.yaml", `name: !!js/function "function(){}"\nstates: {}\n`);
    write(
      "work/.troupe/workflows/c.yaml",
      `name: b\nhooks: {workflow_start: [{command: "${touch}"}]}\n${workflow("x").slice(8)}`,
    );
    execFileSync("mkfifo", [join(cwd, ".troupe/workflows/fifo.yaml")]);
    const ids = (await catalogue.list(cwd)).map(({ id }) => id);
    await catalogue.validate(cwd, "a");
    expect(ids).toEqual(["a", "b", "c"]);
    expect(existsSync(mark)).toBe(false);
  });
});

describe("validate", () => {
  test("looks at what is called, neighbours in a pack first", async () => {
    const { cwd, write, catalogue } = house();
    const calls = (name: string, callee: string): string =>
      `name: ${name}\nstates:\n  initial: a\n  a: {type: call_workflow, workflow: ${callee}, on_success: b}\n  b: {type: terminal}\n`;
    write("work/.awf/workflow-packs/p/manifest.yaml", "name: p\nversion: 1.0.0\nworkflows: [one, two]\n");
    write("work/.awf/workflow-packs/p/workflows/one.yaml", calls("one", "two"));
    write("work/.awf/workflow-packs/p/workflows/two.yaml", calls("two", "one"));
    write("work/.troupe/workflows/two.yaml", calls("two", "thre"));
    write("work/.troupe/workflows/three.yaml", workflow("three"));
    const found = async (id: string) =>
      (await catalogue.validate(cwd, id)).findings.map(({ code, severity, message }) => [code, severity, message]);
    expect(await found("p/one")).toEqual([
      ["WORKFLOW.CALL.CIRCULAR", "warning", '"two" calls its way back here: two, then one'],
    ]);
    expect(await found("two")).toEqual([
      ["USER.FACADE.WORKFLOW_NOT_FOUND", "error", expect.stringContaining('"three"')],
    ]);
  });

  test("all findings with the source, of a file that cannot be run too", async () => {
    const { catalogue, cwd, write } = house();
    const file = write("work/.troupe/workflows/bad.yaml", BROKEN);
    const { findings, ...rest } = await catalogue.validate(cwd, "bad");
    const draft = expect.objectContaining({ initial: "a" });
    expect(rest).toEqual({ id: "bad", file, source: BROKEN, workflow: null, draft });
    expect(findings.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "4 WORKFLOW.VALIDATION.MISSING_STATE",
      "5 WORKFLOW.PARSE.UNKNOWN_FIELD",
    ]);
  });
});

test("warnings are what a listing left out", async () => {
  const { catalogue, cwd, write } = house();
  write("work/.troupe/workflows/a b.yaml", workflow("x"));
  expect(await catalogue.warnings(cwd)).toEqual([expect.stringMatching(/a b\.yaml" is skipped/)]);
});
