/** Covers `isolated.ts`: what is said of a folder that trees cannot be made of. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkIsolated } from "../../../actors/preflight/isolated.ts";
import { Faults } from "../../../actors/preflight/subject.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

const SOURCE = `name: w
states:
  initial: a
  a: {type: step, command: "true", isolation: worktree, on_success: end}
  end: {type: terminal}
`;

test("it is what git has said and what to do about it, and no list of all that is needed", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "troupe-isolated-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  execFileSync("git", ["init", "-q", cwd]);
  const { workflow } = parseWorkflow(SOURCE, { file: null, awf: false });
  if (workflow === null) throw new Error("it cannot be read");
  const faults = new Faults({ workflow, source: SOURCE });
  const environment = { PATH: process.env["PATH"] ?? "" };
  await checkIsolated(workflow, { environment, cwd }, faults);
  const [found] = faults.findings();
  expect(found?.message).toMatch(/ has no commit yet, which isolation: worktree needs: commit once$/);
  expect(found).not.toHaveProperty("expected");
});
