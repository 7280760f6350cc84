/**
 * T12, T14: whatever a workflow, an agent, a command or an argument says, no control reaches the terminal but those
 * that we write ourselves, and colours are off here. The same commands with text let through as it is show the controls.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordingIo } from "../transports/cli/io.ts";

vi.setConfig({ testTimeout: 60_000 });
const FIXTURES = fileURLToPath(new URL("../fixtures/security/", import.meta.url));
/** All of C0 but newline and tab, DEL, all of C1. */
const CONTROL = /[^\P{Cc}\n\t]/u;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-evil-"));
  mkdirSync(join(root, ".troupe", "workflows"), { recursive: true });
  for (const name of ["evil.yaml", "evil-broken.yaml"])
    copyFileSync(join(FIXTURES, name), join(root, ".troupe", "workflows", name));
});
afterEach(() => {
  vi.doUnmock("../../projections/terminal/safe.ts");
  vi.resetModules();
  rmSync(root, { recursive: true, force: true });
});

const COMMANDS: readonly (readonly string[])[] = [
  ["list"],
  ["validate", "evil"],
  ["validate", "evil-broken"],
  ["diagram", "evil"],
  ["run", "evil", "--dry-run"],
  ["run", "evil", "--trust", "-i", "who=\u001b[2Jme"],
  ["run", "evil", "--trust", "-i", "no\u001b[2J=x"],
  ["run", "no\u001b[2J"],
  ["run", "evil", "--trust", "--format", "json"],
  ["history"],
  ["history", "--format", "json"],
  ["status", "no\u001b[2J"],
  ["resume", "no\u001b[2J"],
  ["list", "--no\u001b[2J"],
];

/** What each command wrote to the terminal. */
async function shown(): Promise<[command: string, text: string][]> {
  const { main } = await import("../../transports/cli/program.ts");
  const { createTroupe } = await import("../../actors/troupe.ts");
  const { openLooking } = await import("../../actors/looking.ts");
  const environment = { PATH: process.env["PATH"] ?? "", HOME: root, TROUPE_HOME: join(root, "state") };
  const said: [string, string][] = [];
  for (const argv of COMMANDS) {
    const io = recordingIo({
      env: environment,
      cwd: root,
      columns: 80,
      now: () => 0,
      open: async () => createTroupe({ environment }),
      look: async () => openLooking({ environment }),
    });
    await main(argv, io);
    said.push([JSON.stringify(argv), io.written.out + io.written.err]);
  }
  return said;
}
const unsafe = (said: readonly [string, string][]): string[] =>
  said.filter(([, text]) => CONTROL.test(text)).map(([name]) => name);

test("no control reaches the terminal", async () => {
  const said = await shown();
  expect(unsafe(said)).toEqual([]);
  for (const [name, text] of said) expect([name, text.length > 0]).toEqual([name, true]);
  for (const [name, text] of said) expect([name, text]).not.toEqual([name, expect.stringContaining("UNMAPPED")]);
  expect(said.map(([, text]) => text).join("")).toContain("click");
});

test("without the defence it does, from nearly every command", async () => {
  vi.resetModules();
  const as = (text: string): string => text;
  vi.doMock("../../projections/terminal/safe.ts", () => ({
    SafeText: class {
      push = as;
    },
    safeText: as,
    safeLine: as,
    safeLines: (text: string) => [text],
    safeConsent: as,
    safeJson: as,
  }));
  expect(unsafe(await shown()).length).toBeGreaterThanOrEqual(8);
});
