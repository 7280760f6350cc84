/** Only one folder starts processes: whatever runs carries a marker and is found again. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const OWNERS = [
  "actors/process/ask-program.ts",
  "actors/process/child.ts",
  "actors/process/guard.ts",
  "actors/process/machine.ts",
  "actors/process/ps.ts",
  "actors/process/run-program.ts",
  "actors/process/spawner/program.ts",
  "actors/process/spawner/spawner.ts",
];
/**
 * The user's own browser, the demo, which plays the editor that starts `troupe acp`, and the program itself for a run in
 * the background: what they start is no part of a workflow.
 */
const OTHERS = [
  "transports/cli/background.ts",
  "transports/cli/open-diagram.ts",
  "transports/cli/open-page.ts",
  "transports/demo/agent.ts",
];
/** Every module of Node, and every library here, with which a process can be started. */
const MODULE = /\bchild_process\b|["'](?:node:)?cluster["']|process\.execve\b|process\.binding\b|\bspawn_sync\b/;

test("nothing outside actors/process starts a process", () => {
  const files = ["machines", "actors", "projections", "transports"].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  expect(files.length).toBeGreaterThan(100);
  const using = files.filter((file) => MODULE.test(readFileSync(join(PROJECT, file), "utf8"))).sort();
  expect(using).toEqual([...OWNERS, ...OTHERS]);
});
