/** Covers `ports.ts`. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import * as files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { portsOf } from "../../../actors/worktrees/ports.ts";

vi.mock("node:fs/promises", { spy: true });

let folder: string;
const tree = (name: string): string => {
  const path = join(folder, "trees", name);
  mkdirSync(path, { recursive: true });
  return path;
};
/** Two trees that look for their ports from the same ones on. */
function alike(): [string, string] {
  const seen = new Map<number, string>();
  for (let at = 0; ; at++) {
    const path = tree(String(at));
    const start = createHash("sha256").update(path).digest().readUInt32BE(0) % 1_200;
    const before = seen.get(start);
    if (before !== undefined && start < 1_199) return [before, path];
    seen.set(start, path);
  }
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-ports-"));
  return () => rmSync(folder, { recursive: true, force: true });
});

test("a tree keeps its ports, and another one that is there has others (I1)", async () => {
  const one = tree("one");
  const port = await portsOf(join(folder, "ports"), one);
  expect(await portsOf(join(folder, "ports"), one)).toBe(port);
  writeFileSync(join(folder, "ports", String(port)), tree("two"));
  expect(await portsOf(join(folder, "ports"), one)).not.toBe(port);
});

test("of two that find the ports of a tree that has gone, one alone gets them (I1)", async () => {
  const ports = join(folder, "ports");
  const [one, two] = alike();
  const port = await portsOf(ports, one);
  const gone = join(folder, "gone");
  writeFileSync(join(ports, String(port)), gone);
  const { readFile } = await vi.importActual<typeof files>("node:fs/promises");
  const found: number[] = [];
  // While the first has read who had them, the second takes them.
  vi.mocked(files.readFile).mockImplementationOnce(async () => {
    found.push(await portsOf(ports, two));
    return gone;
  });
  found.push(await portsOf(ports, one));
  expect(found).toEqual([port, port + 10]);
  expect(await readFile(join(ports, String(port)), "utf8")).toBe(two);
  expect(readdirSync(ports)).toEqual([String(port), String(port + 10)]);
  expect(await portsOf(ports, one)).toBe(port + 10);
});
