/** Opens a page with a chart in the user's browser. It stays in the temporary folder, where only this user can read it. */
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Io } from "./io.ts";
import { opener } from "./open-page.ts";

/** Answers the address of the page, for one whose browser did not open. */
export function openDiagram(page: string, env: Io["env"]): string {
  const file = join(mkdtempSync(join(tmpdir(), "troupe-diagram-")), "diagram.html");
  writeFileSync(file, page, { mode: 0o600 });
  const [program, ...words] = opener(env);
  const child = spawn(program, [...words, file], { detached: true, stdio: "ignore", env: { ...env } });
  child.on("error", () => undefined); // the address says what to open
  child.unref();
  return pathToFileURL(file).href;
}
