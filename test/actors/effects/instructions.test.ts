import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readsOf } from "../../../actors/agents/instructions.ts";
import { instructionsFor, MOST_INSTRUCTIONS } from "../../../actors/effects/instructions.ts";
import { workspace } from "./support.ts";

type Files = { readonly [path: string]: string | { to: string } };
function given(provider: string, files: Files, owned?: Parameters<typeof readsOf>[1]) {
  const top = workspace();
  const cwd = join(top, "work");
  mkdirSync(cwd);
  for (const [path, file] of Object.entries(files))
    if (typeof file === "string") writeFileSync(join(cwd, path), file);
    else symlinkSync(file.to, join(cwd, path));
  const notes: string[] = [];
  const words = instructionsFor({ name: provider, reads: readsOf(provider, owned) }, cwd, (severity, message) =>
    notes.push(`${severity} ${message}`),
  );
  return { words, notes: notes.map((note) => note.replaceAll(cwd, "<cwd>")) };
}
const WORDS = "Use tabs.\n";
const GIVEN = '<instructions file="AGENTS.md">\nUse tabs.\n</instructions>';

test("an agent that does not read it is given it, and the log says so (I4)", () => {
  expect(given("mistral_vibe", { "AGENTS.md": WORDS })).toEqual({
    words: GIVEN,
    notes: ["info AGENTS.md of <cwd> is given to mistral_vibe, which does not read it by itself"],
  });
});

test.each([
  ["opencode", { "AGENTS.md": WORDS }],
  ["an agent that is not known", { "AGENTS.md": WORDS }],
  ["mistral_vibe", {}],
  ["mistral_vibe", { "AGENTS.md": " \n" }],
  ["claude", { "AGENTS.md": WORDS, "CLAUDE.md": { to: "AGENTS.md" } }],
  ["claude", { "AGENTS.md": WORDS, "CLAUDE.md": "Be brief.\n@AGENTS.md\n" }],
  ["gemini", { "AGENTS.md": WORDS, "GEMINI.md": WORDS }],
] as [string, Files][])("%s is not given it with %j (I2)", (provider, files) => {
  expect(given(provider, files)).toEqual({ words: null, notes: [] });
});

test("of an agent that speaks ACP its preset, or its user, says what it reads (I2)", () => {
  const of = (owned: NonNullable<Parameters<typeof readsOf>[1]>, files: Files = { "AGENTS.md": WORDS }) =>
    given("mine", files, owned).words;
  expect(of({ preset: "gemini@0.61.0" })).toBe(GIVEN);
  expect(of({ preset: "codex-acp@2.6.0" })).toBeNull();
  expect(of({ preset: "gemini@0.61.0", reads: ["AGENTS.md"] })).toBeNull();
  expect(of({ preset: null })).toBeNull();
  expect(of({ preset: null, reads: [] })).toBe(GIVEN);
  expect(of({ preset: null, reads: ["QWEN.md"] }, { "AGENTS.md": WORDS, "QWEN.md": "@AGENTS.md" })).toBeNull();
});

test("an agent whose own file says something else is given it too", () => {
  expect(given("claude", { "AGENTS.md": WORDS, "CLAUDE.md": "Be brief." }).words).toBe(GIVEN);
});

test("a link that leads out of the folder, and a file that is too long, are not given (I3, I4)", () => {
  for (const file of [{ to: "/etc/hostname" }, "x".repeat(MOST_INSTRUCTIONS + 1)])
    expect(given("codex", { "AGENTS.md": file })).toEqual({
      words: null,
      notes: [expect.stringMatching(/^warning AGENTS\.md was not given to the agent: /)],
    });
});
