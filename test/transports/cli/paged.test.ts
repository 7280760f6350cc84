import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Canvas, CommandContext } from "../../../transports/cli/io.ts";
import { paged } from "../../../transports/cli/paged.ts";
import { recordingIo } from "./io.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-pager-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LINES = "one\ntwo\nthree\nfour\n";
const list = ({ io }: CommandContext): Promise<number> => {
  io.out(LINES);
  return Promise.resolve(0);
};
const canvas = { rows: () => 3 } as Canvas;
const into = (): string => join(folder, "paged");
const env = (pager: string) => ({ PATH: process.env["PATH"] ?? "", PAGER: pager });

test("a list that is longer than the terminal goes to the pager, once (I1)", async () => {
  const io = recordingIo({ canvas, env: env(`cat >${into()}`) });
  expect(await paged(true, list)({ io, format: "text" })).toBe(0);
  expect([readFileSync(into(), "utf8"), io.written.out]).toEqual([LINES, ""]);
});

test.each([
  ["--no-pager", false, "text" as const, canvas, "false"],
  ["JSON", true, "json" as const, canvas, "false"],
  ["no terminal", true, "text" as const, null, "false"],
  ["a terminal with room", true, "text" as const, { rows: () => 40 } as Canvas, "false"],
  ["a pager that is empty", true, "text" as const, canvas, ""],
  ["a pager that is not there", true, "text" as const, canvas, "no-such-pager 2>/dev/null"],
])("it is written as it is with %s (I1, I2)", async (_, pager, format, screen, program) => {
  const io = recordingIo({ canvas: screen, env: env(program) });
  expect(await paged(pager, list)({ io, format })).toBe(0);
  expect(io.written.out).toBe(LINES);
});

test("what was said before a failure is written (I2)", async () => {
  const io = recordingIo({ canvas, env: env("no-such-pager 2>/dev/null") });
  const fails = async (context: CommandContext): Promise<number> => {
    await list(context);
    throw new Error("it failed");
  };
  await expect(paged(true, fails)({ io, format: "text" })).rejects.toThrow("it failed");
  expect(io.written.out).toBe(LINES);
});

test("an interrupt is the pager's while it shows a list; what ends the program ends it too (I3)", async () => {
  const io = recordingIo({ canvas, env: env("exec sleep 60") });
  const begun = Date.now();
  const shown = paged(true, list)({ io, format: "text" });
  await vi.waitFor(() => expect(io.stops.size).toBe(1), { timeout: 60_000 });
  io.stop("interrupt");
  io.stop("terminate");
  expect([await shown, io.written.out, io.stops.size]).toEqual([0, "", 0]);
  expect(Date.now() - begun).toBeLessThan(60_000);
});
