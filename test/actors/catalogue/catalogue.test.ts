import { execFileSync } from "node:child_process";
import { existsSync, renameSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MOST_CHECKED } from "../../../actors/catalogue/catalogue.ts";
import type { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { house, workflow } from "./support.ts";

const refusal = (promise: Promise<unknown>): Promise<TroupeError> =>
  promise.then(
    () => expect.unreachable("it was not refused"),
    (error: TroupeError) => error,
  );

const BROKEN =
  "name: broken\nstates:\n  initial: a\n  a: {type: step, command: x, on_success: b}\n  c: {type: terminal, stauts: success}\n";

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

describe("load", () => {
  test("by id, by the unique name in a pack, and by path", async () => {
    const { catalogue, cwd, write } = house();
    const file = write("work/.awf/workflows/a.yaml", workflow("x"));
    write("work/.troupe/workflow-packs/p/manifest.yaml", 'name: p\nversion: "1.0.0"\nworkflows: [b]\n');
    write("work/.troupe/workflow-packs/p/workflows/b.yaml", workflow("y"));
    const elsewhere = write("elsewhere/c.yaml", workflow("z"));
    const loaded = await catalogue.load(cwd, "a");
    expect({ ...loaded, workflow: loaded.workflow.name }).toEqual({
      id: "a",
      workflow: "x",
      findings: [],
      source: workflow("x"),
      file,
      real: file,
      origin: "awf",
      awf: true,
    });
    for (const name of ["p/b", "b"]) expect((await catalogue.load(cwd, name)).id).toBe("p/b");
    for (const path of ["./.awf/workflows/a.yaml", ".awf/workflows/a.yaml", file]) {
      expect(await catalogue.load(cwd, path)).toMatchObject({ id: "a", origin: "awf" });
    }
    expect(await catalogue.load(cwd, "../elsewhere/c.yaml")).toMatchObject({ id: "c", file: elsewhere, awf: false });
  });

  test("a workflow of a pack means its neighbours first", async () => {
    const { catalogue, cwd, write } = house();
    write("work/.troupe/workflows/b.yaml", workflow("outer"));
    write("work/.troupe/workflow-packs/p/manifest.yaml", 'name: p\nversion: "1.0.0"\nworkflows: [a, b]\n');
    const caller = write("work/.troupe/workflow-packs/p/workflows/a.yaml", workflow("a"));
    write("work/.troupe/workflow-packs/p/workflows/b.yaml", workflow("inner"));
    expect((await catalogue.load(cwd, "b")).workflow.name).toBe("outer");
    expect((await catalogue.load(cwd, "b", caller)).workflow.name).toBe("inner");
  });

  test.each([
    ["", "USER.FACADE.IDENTIFIER_EMPTY", /no workflow was named/],
    ["p/", "USER.FACADE.IDENTIFIER_MALFORMED", /expected name or pack\/name/],
    ["a/b/c", "USER.FACADE.IDENTIFIER_MALFORMED", /expected name or pack\/name/],
    ["__proto__", "USER.FACADE.IDENTIFIER_MALFORMED", /expected name or pack\/name/],
    ["constructor", "USER.FACADE.WORKFLOW_NOT_FOUND", /there is no workflow "constructor"/],
    ["buidl", "USER.FACADE.WORKFLOW_NOT_FOUND", /did you mean "build"\?/],
    ["zzz/x", "USER.FACADE.PACK_NOT_FOUND", /there is no pack "zzz"/],
    ["./gone.yaml", "USER.FACADE.WORKFLOW_NOT_FOUND", /there is no file .*gone\.yaml$/],
    ["build.yaml", "USER.FACADE.WORKFLOW_NOT_FOUND", /there is no file .*build\.yaml: did you mean "build"\?$/],
    ["./buidl.yml", "USER.FACADE.WORKFLOW_NOT_FOUND", /did you mean "build"\?$/],
    ["./.troupe/workflows/build", "USER.FACADE.WORKFLOW_NOT_FOUND", /mean "\.\/\.troupe\/workflows\/build\.yaml"\?$/],
    [
      ".troupe/workflows/build",
      "USER.FACADE.IDENTIFIER_MALFORMED",
      /did you mean "\.troupe\/workflows\/build\.yaml"\?$/,
    ],
    ["sub/flow", "USER.FACADE.PACK_NOT_FOUND", /did you mean "sub\/flow\.yml"\?$/],
    ["/CanInput+7Qw9", "USER.FACADE.WORKFLOW_NOT_FOUND", /^what you gave is read as a path, and no file is there/],
    ["7CanInput", "USER.FACADE.WORKFLOW_NOT_FOUND", /^what you gave names no workflow/],
    ["7CanInput/x", "USER.FACADE.PACK_NOT_FOUND", /^what you gave names no pack$/],
    ["Can!Input=7Qw9", "USER.FACADE.IDENTIFIER_MALFORMED", /^what you gave is not the name of a workflow/],
    ["twin", "USER.FACADE.WORKFLOW_NOT_FOUND", /say which, p\/twin or q\/twin/],
    ["Build", "USER.FACADE.IDENTIFIER_MALFORMED", /only in case/],
  ])("%j is refused with %s", async (identifier, code, message) => {
    const { catalogue, cwd, write } = house();
    write("work/.troupe/workflows/build.yaml", workflow("x"));
    write("work/.awf/workflows/Build.yaml", workflow("x"));
    write("work/sub/flow.yml", workflow("x"));
    for (const pack of ["p", "q"]) {
      write(
        `work/.troupe/workflow-packs/${pack}/manifest.yaml`,
        `name: ${pack}\nversion: "1.0.0"\nworkflows: [twin]\n`,
      );
      write(`work/.troupe/workflow-packs/${pack}/workflows/twin.yaml`, workflow("x"));
    }
    const error = await refusal(catalogue.load(cwd, identifier));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
  });

  test("I3: a file with errors is refused with the first one's place and all of them as data", async () => {
    const { catalogue, cwd, write } = house();
    write("work/.troupe/workflows/bad.yaml", BROKEN);
    const error = await refusal(catalogue.load(cwd, "bad"));
    expect(error.code).toBe("WORKFLOW.VALIDATION.FAILED");
    expect(error.message).toMatch(/^\.troupe\/workflows\/bad\.yaml:4:43: state "b" does not exist/);
    expect((error.details["findings"] as { code: string }[]).map(({ code }) => code)).toEqual([
      "WORKFLOW.VALIDATION.MISSING_STATE",
      "WORKFLOW.PARSE.UNKNOWN_FIELD",
    ]);
    expect(error.details).not.toHaveProperty("source");
  });

  test("the same file is a warning in AWF's places where AWF loads it", async () => {
    const { catalogue, cwd, write } = house();
    const source = workflow("x", "colour: red\n");
    write("work/.awf/workflows/a.yaml", source);
    write("work/.troupe/workflows/b.yaml", source);
    expect((await catalogue.load(cwd, "a")).findings.map(({ severity }) => severity)).toEqual(["warning"]);
    expect((await refusal(catalogue.load(cwd, "b"))).code).toBe("WORKFLOW.VALIDATION.FAILED");
  });

  test("a file is parsed once, and again when it was written, replaced or touched", async () => {
    const { catalogue, cwd, root, write } = house();
    const file = write("work/.troupe/workflows/a.yaml", workflow("one"));
    const first = (await catalogue.load(cwd, "a")).workflow;
    expect((await catalogue.load(cwd, "a")).workflow).toBe(first);
    write("next.yaml", workflow("two"));
    renameSync(join(root, "next.yaml"), file);
    const second = (await catalogue.load(cwd, "a")).workflow;
    expect(second.name).toBe("two");
    utimesSync(file, 1, 1);
    expect((await catalogue.load(cwd, "a")).workflow).not.toBe(second);
  });

  test("step templates come from beside the workflow, and one that changes, comes or goes counts", async () => {
    const { catalogue, cwd, write } = house();
    write(
      "work/.awf/workflows/a.yaml",
      "name: a\nstates:\n  initial: s\n  s: {use_template: say, on_success: done}\n  done: {type: terminal}\n",
    );
    expect((await refusal(catalogue.load(cwd, "a"))).message).toMatch(/there is no template "say"/);
    const template = (word: string): string =>
      `name: say\nstates:\n  initial: say\n  say: {type: step, command: echo ${word}}\n`;
    write("work/.awf/templates/say.yaml", template("one"));
    expect((await catalogue.load(cwd, "a")).workflow.states["s"]).toMatchObject({ run: { command: "echo one" } });
    write("work/.awf/templates/say.yaml", template("three"));
    expect((await catalogue.load(cwd, "a")).workflow.states["s"]).toMatchObject({ run: { command: "echo three" } });
  });

  test("T23: a step template is not read through a link that leads out", async () => {
    const { catalogue, cwd, write, link } = house();
    write("secret.yaml", "name: say\nstates:\n  initial: say\n  say: {type: step, command: echo}\n");
    link("work/.troupe/templates/say.yaml", "secret.yaml");
    write(
      "work/.troupe/workflows/a.yaml",
      "name: a\nstates:\n  initial: s\n  s: {use_template: say, on_success: done}\n  done: {type: terminal}\n",
    );
    expect((await refusal(catalogue.load(cwd, "a"))).message).toMatch(/there is no template "say"/);
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
