/** Covers `segments.ts` where a line can be written in part only. */
import fs, { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { linesIn, Segments } from "../../../actors/conversations/segments.ts";

const { writeSync } = fs;
/** The next line gets half of its bytes onto the disk. */
function fullDisk(): void {
  const give = (with_: typeof writeSync): void => {
    fs.writeSync = with_;
    syncBuiltinESMExports();
  };
  let isFull = false;
  give(((file: number, bytes: Buffer, from: number) => {
    if (isFull) {
      give(writeSync);
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    }
    isFull = true;
    return writeSync(file, bytes, from, Math.floor(bytes.length / 2));
  }) as typeof writeSync);
}

test("half a line that the disk had no room for is taken back by the next one (I1)", () => {
  const folder = mkdtempSync(join(tmpdir(), "segments-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const segments = new Segments(folder, () => "first", { segmentBytes: 40, segments: 3 });
  segments.append("one");
  fullDisk();
  expect(() => segments.append("two-that-is-long")).toThrow("ENOSPC");
  expect(() => segments.append("three")).not.toThrow();
  expect([...linesIn(folder)]).toEqual(["one", "three"]);
  expect(segments.place.bytes).toBe("one\nthree\n".length);
  segments.append("x".repeat(35)); // in a segment of its own
  expect([...linesIn(folder)]).toEqual(["one", "three", "first", "x".repeat(35)]);
  segments.close();
});
