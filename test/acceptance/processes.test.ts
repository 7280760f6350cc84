/** Only one folder starts processes, so that every process carries a marker and is found again. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const OWNERS = [
  "actors/process/ask-program.ts",
  "actors/process/child.ts",
  "actors/process/guard.ts",
  "actors/process/in-terminal.ts",
  "actors/process/machine.ts",
  "actors/process/ps.ts",
  "actors/process/run-program.ts",
  "actors/process/spawner/program.ts",
  "actors/process/spawner/spawner.ts",
];
/**
 * These start the user's own browser and pager, the demo's `troupe acp` (the demo plays the editor), and the program itself
 * for a run in the background: no process of a workflow.
 */
const OTHERS = [
  "transports/cli/background.ts",
  "transports/cli/open-diagram.ts",
  "transports/cli/open-page.ts",
  "transports/cli/paged.ts",
  "transports/demo/agent.ts",
];
/** Every module of Node, and every library here, that can start a process. */
const MODULE =
  /\bchild_process\b|(?:\bfrom |\()["'](?:node:)?cluster["']|process\.execve\b|process\.binding\b|\bspawn_sync\b/;

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
