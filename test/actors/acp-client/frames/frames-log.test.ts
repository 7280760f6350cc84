/** The log of frames that was asked for. H56. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
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
