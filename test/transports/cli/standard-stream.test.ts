/** Covers `standard-stream.ts`: how a command writes where no terminal is. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { isTerminal, StandardStream } from "../../../transports/cli/standard-stream.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-output-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});
function opened(path: string, flags: number | string): number {
  const fd = openSync(path, flags);
  onTestFinished(() => {
    try {
      closeSync(fd);
    } catch {
      // the test has closed it
    }
  });
  return fd;
}

/** An output on a file that is open, with a stream that remembers, and how often that was opened. */
function outputOn(fd: number, isTerminal = false) {
  const seen = { opened: 0, streamed: "", failed: [] as (string | undefined)[] };
  const open = () => {
    seen.opened++;
    return new Writable({
      write: (chunk, _, done) => {
        seen.streamed += chunk;
        done();
      },
    });
  };
  const output = new StandardStream(fd, { isTerminal, open, failed: ({ code }) => void seen.failed.push(code) });
  return { output, seen };
}

test("what is no terminal is written to at once, without Node's stream (I1)", () => {
  const path = join(folder, "file");
  const { output, seen } = outputOn(opened(path, "w"));
  output.write("one ü\n");
  output.write("");
  output.write("two\n");
  expect([readFileSync(path, "utf8"), seen]).toEqual(["one ü\ntwo\n", { opened: 0, streamed: "", failed: [] }]);
});

test("a terminal is written to by the stream (I1)", () => {
  const path = join(folder, "file");
  const { output, seen } = outputOn(opened(path, "w"), true);
  output.write("one\n");
  expect([readFileSync(path, "utf8"), seen]).toEqual(["", { opened: 1, streamed: "one\n", failed: [] }]);
});

test.runIf(process.platform !== "win32")(
  "what a full pipe does not take goes through the stream, and all after it (I2)",
  () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const pipe = opened(path, constants.O_RDWR | constants.O_NONBLOCK);
    const { output, seen } = outputOn(pipe);
    const text = Array.from({ length: 40_000 }, (_, at) => `line ${at}\n`).join("");
    output.write(text);
    output.write("last\n");
    const bytes = Buffer.alloc(text.length);
    const taken = bytes.toString("latin1", 0, readSync(pipe, bytes));
    expect(taken.length).toBeGreaterThan(0);
    expect(taken + seen.streamed).toBe(`${text}last\n`);
    expect([seen.opened, seen.failed]).toEqual([1, []]);
    output.write("there is room now\n");
    expect(seen.streamed.endsWith("last\nthere is room now\n")).toBe(true);
  },
);

test("each write that fails is told, and after it (I3)", async () => {
  const fd = opened(join(folder, "file"), "w");
  const { output, seen } = outputOn(fd);
  closeSync(fd);
  output.write("lost");
  output.write("lost too");
  expect(seen.failed).toEqual([]);
  await Promise.resolve();
  expect(seen).toEqual({ opened: 0, streamed: "", failed: ["EBADF", "EBADF"] });
});

test("what a stream says of a fault is told as well, and it is opened once (I3)", async () => {
  const { output, seen } = outputOn(opened(join(folder, "file"), "w"));
  const { stream } = output;
  expect(output.stream).toBe(stream);
  output.write("streamed");
  stream.destroy(Object.assign(new Error("gone"), { code: "EPIPE" }));
  await new Promise(setImmediate);
  expect(seen).toEqual({ opened: 1, streamed: "streamed", failed: ["EPIPE"] });
});

test("files, pipes and the null device are no terminals", () => {
  const fd = opened(join(folder, "file"), "w");
  writeSync(fd, "x");
  expect([isTerminal(fd), isTerminal(opened(devNull, "r+"))]).toEqual([false, false]);
});
