/** The log of frames that was asked for. H56. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FramesLog } from "../../../../actors/acp-client/frames/frames-log.ts";
import { Masking } from "../../../../actors/masking/masking.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "frames-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the last frames are in it, masked, and no more than twice as many (I1)", () => {
  const path = join(folder, "frames.ndjson");
  const log = new FramesLog(path, { mask: new Masking([["env/KEY", "canary-71f0a9"]]), now: () => 5, most: 10 });
  for (let id = 0; id < 37; id++) log.sent({ id, method: "session/list", params: { cwd: "canary-71f0a9" } });
  log.got({ id: 36, result: {} });
  log.close();
  const files = [`${path}.1`, path].map((file) => readFileSync(file, "utf8"));
  const lines = files.join("").trimEnd().split("\n");
  expect(lines.length).toBeGreaterThanOrEqual(10);
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines.at(-1)).toBe('{"at":5,"got":{"id":36,"result":{}}}');
  expect(files.join("")).not.toContain("canary");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a file that somebody removes is begun anew, and no other file is closed for it (I2)", () => {
  const path = join(folder, "frames.ndjson");
  const log = new FramesLog(path, { mask: new Masking([]), now: () => 5, most: 1 });
  log.sent({ id: 1, method: "session/list" });
  rmSync(path);
  const next = (id: number): void => {
    try {
      log.sent({ id, method: "session/list" });
    } catch {
      // reported to the ear
    }
  };
  next(2);
  const other = openSync(join(folder, "other"), "w");
  next(3);
  writeSync(other, "mine");
  closeSync(other);
  log.close();
  expect(readFileSync(join(folder, "other"), "utf8")).toBe("mine");
  expect(readFileSync(path, "utf8")).toContain('"id":3');
});
