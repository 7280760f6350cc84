import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tellingNoFrames } from "../../../transports/cli/frames-told.ts";
import { recordingIo } from "./io.ts";

it("says of --frames-log that no agent spoke, where its file is as it was", () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-frames-told-"));
  const file = join(folder, "frames.jsonl");
  const told = (file: string | undefined, meanwhile: () => void): string => {
    const io = recordingIo();
    const tell = tellingNoFrames(io, file);
    meanwhile();
    tell();
    return io.written.err;
  };
  const said = "troupe: --frames-log has nothing to write: no agent that speaks ACP took part in this run\n";
  expect(told(undefined, () => undefined)).toBe("");
  expect(told(file, () => undefined)).toBe(said);
  expect(told(file, () => writeFileSync(file, "{}\n"))).toBe("");
  expect(told(file, () => undefined)).toBe(said);
  expect(told(file, () => utimesSync(file, 1, 1))).toBe("");
  rmSync(folder, { recursive: true });
});
