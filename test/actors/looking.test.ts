import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLooking } from "../../actors/looking.ts";
import { createTroupe } from "../../actors/troupe.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-looking-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([{}, { TROUPE_TRUST: "1" }])("sees with %j what a Troupe sees, and makes no store (I1)", async (trust) => {
  const folder = join(root, "work", ".troupe", "workflows");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "good.yaml"),
    "name: good\nstates:\n  initial: done\n  done: {type: terminal, message: '{{.inputs.x}}'}\n",
  );
  writeFileSync(join(folder, "bad.yaml"), "name: bad\nstates: {initial: nowhere}\n");
  const environment = { HOME: root, TROUPE_HOME: join(root, "state"), ...trust };
  const looking = openLooking({ environment });
  const troupe = createTroupe({ environment });
  const cwd = join(root, "work");
  const seen = async (one: typeof looking) => [
    await one.list(cwd),
    await one.warnings(cwd),
    await one.validate(cwd, "good"),
    await one.validate(cwd, "bad"),
  ];
  const found = await seen(looking);
  expect(found).toEqual(await seen(troupe));
  expect(found[0]).toMatchObject([{ id: "bad" }, { id: "good" }]);
  expect(found[2]).toMatchObject({ findings: [{ line: 4 }] });
  await troupe.close();
  expect(existsSync(join(root, "state"))).toBe(false);
});

test("a slip that makes a file unusable hides no other one of it", async () => {
  const folder = join(root, ".troupe", "workflows");
  mkdirSync(folder, { recursive: true });
  const steps = [
    "a: {type: agent, provider: claude, prompt: x, options: {modle: m}, on_success: b}",
    "b: {type: agent, provider: codex, prompt: x, role: nobody, on_success: c}",
    "c: {type: agent, provider: codex, prompt: x, options: {permissions: {exeucte: deny}}, on_success: d}",
    "d: {type: call_workflow, workflow: nowhere, on_success: z}",
    "z: {type: terminal}",
  ];
  writeFileSync(join(folder, "slips.yaml"), `name: slips\nstates:\n  initial: a\n  ${steps.join("\n  ")}\n`);
  const looking = openLooking({ environment: { HOME: root, PATH: root, TROUPE_HOME: join(root, "state") } });
  const { workflow, findings, ...rest } = await looking.validate(root, "slips");
  expect([workflow, Object.keys(rest).sort()]).toEqual([null, ["file", "id", "source"]]);
  expect(findings.map(({ line, code, severity }) => `${line} ${severity} ${code}`)).toEqual([
    "4 warning USER.AGENT.NOT_INSTALLED",
    "4 error WORKFLOW.PARSE.UNKNOWN_FIELD",
    "5 warning USER.AGENT.NOT_INSTALLED",
    "5 error USER.INPUT.MISSING_ROLE",
    "6 error USER.AGENT.INVALID_OPTION",
    "7 error USER.FACADE.WORKFLOW_NOT_FOUND",
  ]);
  expect(findings.map(({ message }) => message).filter((text) => /too|mean/.test(text))).toEqual([
    'Codex is not installed here: there is no "codex" in PATH; step "c" needs it too',
    expect.stringMatching(/: "exeucte": .*; did you mean "execute"\?$/),
  ]);
});
