/** A workflow, loaded by its name or its path. */
import { renameSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { BROKEN } from "./refusals.ts";
import { house, workflow } from "./support.ts";

const refusal = (promise: Promise<unknown>): Promise<TroupeError> =>
  promise.then(
    () => expect.unreachable("it was not refused"),
    (error: TroupeError) => error,
  );

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
