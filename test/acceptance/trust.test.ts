/**
 * A directory that is not trusted.
 *
 * T1. Listing, validating, a dry run and opening a session start nothing.
 * T2. A run starts nothing before consent is given, and fails with exit code 5 where no one can be asked.
 * T3. Consent is remembered for the directory; a refusal is not.
 * T4. Trusted directories are listed, and trust can be taken back.
 * T5. The question names the files that the run will read. If one has changed when the answer comes, it is asked again.
 * T6. A workflow that is named by its path needs trust for the directory that holds it, links followed.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Asked, Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/footprint.yaml"]);
});
afterEach(async () => {
  await house.leave();
});
const wasRun = (): boolean => existsSync(join(house.cwd, "footprint"));
const optionOf = (asked: Asked, kind: string): string | null =>
  asked.options.find((option) => option.kind === kind)?.optionId ?? null;
async function editorOf(): Promise<{ editor: Editor; session: string }> {
  const editor = new Editor(house.troupe(["acp"]));
  await editor.initialize();
  return { editor, session: await editor.open(house.cwd) };
}

test.each([
  [["list"], "Leaves a file behind"],
  [["validate", "footprint"], "footprint"],
  [["run", "footprint", "--dry-run"], "touch footprint"],
  [["history"], "No run has begun"],
  [["resume"], "nothing to resume"],
])("troupe %j starts nothing (T1)", async (args, says) => {
  const asked = house.troupe(args);
  expect(await asked.ended).toEqual({ code: 0, signal: null });
  expect(asked.lines.join("\n")).toContain(says);
  expect(wasRun()).toBe(false);
});

test("a run is refused where no one can be asked (T2)", async () => {
  const run = house.troupe(["run", "footprint", "--format", "json"]);
  expect(await run.ended).toEqual({ code: 5, signal: null });
  expect(run.lines.join("\n")).toContain("USER.TRUST.REQUIRED");
  expect(wasRun()).toBe(false);
  expect(await house.troupe(["run", "footprint", "--trust"]).ended).toEqual({ code: 0, signal: null });
  expect(wasRun()).toBe(true);
});

test("opening a session starts nothing (T1)", async () => {
  const { editor } = await editorOf();
  await editor.hears("available_commands_update");
  await editor.leave();
  expect(wasRun()).toBe(false);
});

test("an editor is asked once; a yes is remembered (T3)", async () => {
  const { editor, session } = await editorOf();
  let asked = 0;
  editor.decide = (question) => {
    asked++;
    expect(wasRun()).toBe(false);
    return optionOf(question, "allow_always");
  };
  expect((await editor.prompt(session, "/footprint")).result).toEqual({ stopReason: "end_turn" });
  expect(wasRun()).toBe(true);
  expect((await editor.prompt(session, "/footprint")).result).toEqual({ stopReason: "end_turn" });
  await editor.leave();
  expect(asked).toBe(1);
  expect(faultsOf(editor.trace)).toEqual([]);
  expect(await house.troupe(["run", "footprint"]).ended).toEqual({ code: 0, signal: null });
});

test.each([
  ["a no", "reject_once"],
  ["a dismissed question", ""],
])("after %s nothing is run, and the next prompt asks again (T2, T3)", async (_, kind) => {
  const { editor, session } = await editorOf();
  let asked = 0;
  editor.decide = (question) => {
    asked++;
    return optionOf(question, kind);
  };
  for (const n of [1, 2]) {
    expect((await editor.prompt(session, "/footprint")).result).toMatchObject({
      _meta: { "troupe/error": { code: "USER.TRUST.REFUSED" } },
    });
    expect(asked).toBe(n);
  }
  await editor.leave();
  expect(wasRun()).toBe(false);
  expect(faultsOf(editor.trace)).toEqual([]);
});

test("trusted directories are listed, and trust is taken back (T4)", async () => {
  const { editor, session } = await editorOf();
  editor.decide = (question) => optionOf(question, "allow_always");
  await editor.prompt(session, "/footprint");
  await editor.leave();
  const told = async (...args: string[]) => {
    const said = house.troupe(["trust", ...args, "--format", "json"]);
    const { code } = await said.ended;
    return { code, said: JSON.parse(said.lines.join("")) as unknown };
  };
  const listed = { code: 0, said: [{ cwd: house.cwd, at: expect.any(Number) }] };
  expect(await told("list")).toEqual(listed);
  const unknown = { code: 1, said: { error: { code: "USER.TRUST.UNKNOWN" } } };
  expect(await told("revoke", join(house.cwd, ".troupe"))).toMatchObject(unknown);
  expect(await told("list")).toEqual(listed);
  expect(await told("revoke", ".")).toEqual({ code: 0, said: { cwd: house.cwd, above: null } });
  expect(await told("list")).toEqual({ code: 0, said: [] });
  expect(await house.troupe(["run", "footprint"]).ended).toEqual({ code: 5, signal: null });
});

test("the user trusts a directory without a run, links followed, and nothing is run (T1, T4)", async () => {
  symlinkSync(house.cwd, join(house.root, "link"));
  const added = house.troupe(["trust", "add", "../link", "--format", "json"]);
  expect(await added.ended).toEqual({ code: 0, signal: null });
  expect(JSON.parse(added.lines.join(""))).toEqual({ cwd: house.cwd, at: expect.any(Number) });
  expect(wasRun()).toBe(false);
  const missing = house.troupe(["trust", "add", "nowhere"]);
  expect((await missing.ended).code).toBe(1);
  expect(missing.stderr).toContain("nowhere");
  expect(await house.troupe(["run", "footprint"]).ended).toEqual({ code: 0, signal: null });
  expect(wasRun()).toBe(true);
  expect(await house.troupe(["trust", "revoke", "../link"]).ended).toEqual({ code: 0, signal: null });
  const said = house.troupe(["trust", "add"]);
  expect(await said.ended).toEqual({ code: 0, signal: null });
  expect(said.lines).toEqual([
    `${house.cwd} is trusted: workflows there, and below, run without a question.`,
    `Back: troupe trust revoke ${house.cwd}`,
  ]);
  mkdirSync(join(house.cwd, "my work"));
  const spaced = house.troupe(["trust", "add", "my work"]);
  await spaced.ended;
  expect(spaced.lines.at(-1)).toBe(`Back: troupe trust revoke '${house.cwd}/my work'`);
});

const WITH_FILES = `name: reads
states:
  initial: a
  a: {type: command, script_file: ../../harmless.sh, on_success: b}
  b: {type: call_workflow, workflow: called, on_success: done}
  done: {type: terminal, status: success}
`;
const called = (script: string): string =>
  `name: called\nstates:\n  initial: a\n  a: {type: command, script_file: ../../${script}, on_success: done}\n  done: {type: terminal}\n`;
const CHANGES: { [what: string]: (write: (file: string, text: string) => void) => void } = {
  "a script": (write) => write("harmless.sh", "touch footprint"),
  "the script of a called workflow": (write) => write("also.sh", "touch footprint"),
  "a called workflow": (write) => write(".troupe/workflows/called.yaml", called("other.sh")),
};

test.each(Object.keys(CHANGES).flatMap((what) => ["allow_always", "allow_once"].map((kind) => [what, kind] as const)))(
  "%s that changes while the question is open asks again, after %s (T5)",
  async (what, kind) => {
    const write = (file: string, text: string) => writeFileSync(join(house.cwd, file), text);
    write(".troupe/workflows/reads.yaml", WITH_FILES);
    write(".troupe/workflows/called.yaml", called("also.sh"));
    for (const file of ["harmless.sh", "also.sh"]) write(file, "true");
    write("other.sh", "touch footprint");
    const editor = new Editor(house.troupe(["acp", "--permission-mode", "permissive"]));
    await editor.initialize();
    const session = await editor.open(house.cwd);
    const texts: string[] = [];
    editor.decide = (question) => {
      texts.push(JSON.stringify(question));
      if (texts.length > 1) return optionOf(question, "reject_once");
      CHANGES[what]?.(write);
      return optionOf(question, kind);
    };
    expect((await editor.prompt(session, "/reads")).result).toMatchObject({
      _meta: { "troupe/error": { code: "USER.TRUST.REFUSED" } },
    });
    expect(wasRun()).toBe(false);
    expect(texts).toHaveLength(2);
    for (const file of ["harmless.sh", "called.yaml", "also.sh"]) expect(texts[0]).toContain(file);
    expect(texts[0]).not.toContain("changed");
    expect(texts[1]).toContain("changed");
    editor.decide = (question) => optionOf(question, kind);
    expect((await editor.prompt(session, "/reads")).result).toEqual({ stopReason: "end_turn" });
    expect(wasRun()).toBe(true);
    await editor.leave();
    expect(faultsOf(editor.trace)).toEqual([]);
  },
);

test("a file outside a trusted directory needs trust for its own directory (T6)", async () => {
  const { editor, session } = await editorOf();
  editor.decide = (question) => optionOf(question, "allow_always");
  await editor.prompt(session, "/footprint");
  await editor.leave();
  const [elsewhere, left] = [join(house.root, "elsewhere"), join(house.root, "left")];
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "other.yaml"), called("x").replace(/script_file: [^,]*/, `command: touch ${left}`));
  symlinkSync(elsewhere, join(house.cwd, "link"));
  for (const path of [join(elsewhere, "other.yaml"), "../elsewhere/other.yaml", "./link/other.yaml"]) {
    const run = house.troupe(["run", path, "--format", "json"]);
    expect(await run.ended).toEqual({ code: 5, signal: null });
    expect(run.lines.join("\n")).toContain(`${elsewhere} is not trusted yet`);
    expect(existsSync(left)).toBe(false);
  }
  expect(await house.troupe(["run", "./link/other.yaml", "--trust"]).ended).toEqual({ code: 0, signal: null });
  expect(existsSync(left)).toBe(true);
});
