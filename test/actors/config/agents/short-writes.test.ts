/** A disk that is nearly full takes a part of what is written, and says so only by how much it took. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { addEntry, editAgents } from "../../../../actors/config/agents/edit.ts";
import { agentsFileOf } from "../../../../actors/config/nothing.ts";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const writeSync = (file: number, text: string): number => fs.writeSync(file, text.slice(0, 8));
  return { ...fs, default: fs, writeSync };
});

it("the file is written whole, or the old one stays (I2)", () => {
  const home = mkdtempSync(join(tmpdir(), "troupe-short-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const environment = { HOME: home };
  editAgents(environment, [], (document) => addEntry(document, "agents", { id: "one", slug: "one", command: "x" }));
  expect(dirname(agentsFileOf(environment))).toContain(home);
  expect(readFileSync(agentsFileOf(environment), "utf8")).toContain("slug: one\n    command: x\n");
});
