/** Folders of workflows that their user may not read, or not enter: what is said names them. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asOrdinary, giveToOrdinary, importing, noOrdinary, openAll } from "../../support/ordinary-user.ts";

let root: string;
let workflows: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-closed-"));
  workflows = join(root, ".troupe", "workflows");
  mkdirSync(workflows, { recursive: true });
  writeFileSync(join(workflows, "a.yaml"), "name: a\nstates: {initial: a, a: {type: terminal}}\n");
  giveToOrdinary(root);
});
afterEach(() => {
  openAll(root);
  rmSync(root, { recursive: true });
});

function resolving(name: string): string {
  const script = `
    const { openLooking } = await import(${importing("actors/looking.ts")});
    const cwd = ${JSON.stringify(root)};
    await openLooking({ environment: { HOME: cwd, TROUPE_HOME: cwd + "/state" } }).validate(cwd, ${JSON.stringify(name)}).then(
      () => console.log("found"),
      ({ code, message }) => console.log(code, message),
    );`;
  const { stdout, stderr } = asOrdinary(["--input-type=module", "--eval", script], { HOME: root });
  return stdout.trim() || stderr;
}

test.skipIf(noOrdinary !== null)("one that may not be read is named where a workflow is not found", () => {
  expect(resolving("a")).toBe("found");
  chmodSync(workflows, 0o000);
  expect(resolving("a")).toBe(
    `USER.FACADE.WORKFLOW_NOT_FOUND there is no workflow "a": \`troupe list\` shows what there is; ${workflows} cannot be read: you may not list what is in it; look at its owner and its rights`,
  );
});

test.skipIf(noOrdinary !== null)("one below a folder that may not be entered says which", () => {
  chmodSync(join(root, ".troupe"), 0o600);
  expect(resolving("a")).toBe(
    `SYSTEM.IO.PERMISSION_DENIED workflows cannot be looked for in ${workflows}: ${join(root, ".troupe")} may not be entered; look at its owner and its rights`,
  );
});
