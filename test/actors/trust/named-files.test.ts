import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { namedFilesOf } from "../../../actors/trust/named-files.ts";
import { house } from "../catalogue/support.ts";

const chain = (name: string, states: readonly string[]): string =>
  [
    `name: ${name}`,
    "states:",
    "  initial: s0",
    ...states.map((state, n) => `  s${n}: {${state}, on_success: ${n + 1 < states.length ? `s${n + 1}` : "done"}}`),
    "  done: {type: terminal}",
  ].join("\n");
const script = (file: string): string => `type: command, script_file: "${file}"`;
const call = (workflow: string): string => `type: call_workflow, workflow: "${workflow}"`;

function opened() {
  const one = house();
  const { catalogue, cwd, root } = one;
  const named = namedFilesOf({
    catalogue,
    environment: { HOME: join(root, "home") },
    limits: () => ({ fileBytes: 64 }),
  });
  const put = (file: string, text: string) => one.write(`work/${file}`, text);
  return {
    ...one,
    put,
    workflow: (name: string, ...states: string[]) => put(`.troupe/workflows/${name}.yaml`, chain(name, states)),
    named: async (name: string) => named((await catalogue.load(cwd, name)).workflow, cwd),
  };
}

test("are scripts, prompts, called workflows and theirs, each once, in the order of the documents", async () => {
  const one = opened();
  const called = one.workflow("called", script("b.sh"), script("a.sh"), call("main"));
  const main = one.workflow(
    "main",
    script("a.sh"),
    call("called"),
    "type: agent, provider: understudy, prompt_file: p.md",
  );
  const files = ["a.sh", "b.sh", "p.md"].map((file) => one.put(file, file));
  const [a, b, p] = files;
  const found = await one.named("main");
  expect(found.map(({ path }) => path)).toEqual([a, called, b, main, p]);
  expect(new Set(found.map(({ digest }) => digest)).size).toBe(5);
  expect(await one.named("main")).toEqual(found);

  one.put("b.sh", "B.sh");
  const later = await one.named("main");
  expect(later.map(({ digest }, n) => digest === found[n]?.digest)).toEqual([true, true, false, true, true]);
});

test("are an agent's role and its skills too, where they are found first", async () => {
  const one = opened();
  const skills = 'skills: [lint, {path: taught}, "{{.workflow.Name}}", "no/name"]';
  one.workflow("main", `type: agent, provider: understudy, prompt: x, role: critic, ${skills}`);
  const role = one.put(".agents/roles/critic/AGENTS.md", "be kind");
  const taught = one.put(".troupe/workflows/taught/SKILL.md", "here");
  const [first, lint, own, ...rest] = await one.named("main");
  expect([first?.path, lint?.path.endsWith(".troupe/skills/lint/SKILL.md"), lint?.digest]).toEqual([role, true, null]);
  expect([own?.path, rest]).toEqual([taught, []]);

  one.put(".agents/roles/critic/AGENTS.md", "be unkind");
  one.put(".claude/skills/lint/SKILL.md", "new");
  const later = await one.named("main");
  expect(later.map(({ path, digest }, n) => [digest === [first, lint, own][n]?.digest, path])).toEqual([
    [false, role],
    [false, expect.stringContaining(".claude/skills/lint/SKILL.md")],
    [true, taught],
  ]);
});

test("a called workflow has changed when a step template of it has (I1)", async () => {
  const one = opened();
  const template = (command: string) =>
    one.put(".troupe/templates/t.yaml", `name: t\nstates:\n  initial: t\n  t: {type: step, command: ${command}}\n`);
  template("one");
  one.put(
    ".troupe/workflows/called.yaml",
    "name: called\nstates:\n  initial: a\n  a: {use_template: t, on_success: done}\n  done: {type: terminal}\n",
  );
  one.workflow("main", call("called"));
  const [before] = await one.named("main");
  template("another");
  const [after] = await one.named("main");
  expect(after?.path).toBe(before?.path);
  expect(after?.digest).not.toBe(before?.digest);
});

test("a file that cannot be read is named too: it may come (I2)", async () => {
  const one = opened();
  one.workflow("main", script("a.sh"), script("large.sh"), script("../outside.sh"), call("missing"));
  one.write("outside.sh", "x");
  const large = one.put("large.sh", "x".repeat(65));
  const found = await one.named("main");
  expect(found.map(({ digest }) => digest)).toEqual([null, null, null, null]);
  expect(found.map(({ path }) => path)).toContain("missing");
  rmSync(large);
  one.put("large.sh", "x");
  expect((await one.named("main")).filter(({ digest }) => digest !== null)).toEqual([
    { path: large, digest: expect.any(String) },
  ]);
});

test("are not those whose names a template makes up, nor what needs trust of its own (I1, I3)", async () => {
  const one = opened();
  const elsewhere = one.write("elsewhere/w.yaml", chain("w", [script("x.sh")]));
  one.workflow("main", script("{{.env.HOME}}.sh"), call("{{.env.HOME}}"), call(elsewhere));
  expect(await one.named("main")).toEqual([]);
});

test("are so few that a person can read them", async () => {
  const one = opened();
  const scripts = Array.from({ length: 101 }, (_, n) => script(`${n}.sh`));
  one.workflow("most", ...scripts.slice(1));
  expect(await one.named("most")).toHaveLength(100);
  one.workflow("more", ...scripts);
  await expect(one.named("more")).rejects.toMatchObject({ code: "USER.TRUST.REQUIRED" });
});
