/** Covers `store.ts`: a store that cannot be used is not kept open. */
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { Store } from "../../../../actors/host/sqlite/store.ts";

const FILES = "/proc/self/fd";
/** How many files of this folder the process has open. */
const openIn = (folder: string): number =>
  readdirSync(FILES).filter((one) => {
    try {
      return readlinkSync(join(FILES, one)).startsWith(folder);
    } catch {
      return false; // the one that this list was read by
    }
  }).length;

test.skipIf(process.platform !== "linux")("one of a newer Troupe is refused, each time, and closed", () => {
  const folder = mkdtempSync(join(tmpdir(), "refused-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "troupe.db");
  new Store(file, "normal").close();
  const db = new DatabaseSync(file);
  db.exec("pragma user_version=9999");
  db.close();
  for (let round = 0; round < 3; round++) expect(() => new Store(file, "normal")).toThrow("later version");
  expect(openIn(folder)).toBe(0);
});
