import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOutput } from "../../../actors/process/output.ts";

function play(chunks: readonly (readonly ["stdout" | "stderr", Uint8Array])[], maxBytes = 1e6) {
  const seen: (["stdout" | "stderr", string] | "limit")[] = [];
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const output = readOutput({
    streams,
    onOutput: (stream, text) => seen.push([stream, text]),
    maxBytes,
    onLimit: () => seen.push("limit"),
    onEnd: () => undefined,
  });
  for (const [stream, bytes] of chunks) streams[stream].emit("data", Buffer.from(bytes));
  output.finish();
  return { seen, streams, output };
}

describe("output", () => {
  it("holds the first bytes of a character until it is whole, for each stream (I1)", () => {
    const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
    const { seen } = play([
      ["stdout", Buffer.concat([Buffer.from("a"), first])],
      ["stderr", Buffer.from("err")],
      ["stdout", second],
    ]);
    expect(seen).toEqual([
      ["stdout", "a"],
      ["stderr", "err"],
      ["stdout", "é"],
    ]);
  });

  it("passes on what any split of any bytes decodes to (I1, I2)", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.uint8Array({ maxLength: 5 }),
            fc.string().map((s) => Buffer.from(s)),
          ),
        ),
        (parts) => {
          const { seen } = play(parts.map((bytes) => ["stdout", bytes] as const));
          const text = seen.map((item) => (item === "limit" ? "limit" : item[1])).join("");
          expect(text).toBe(Buffer.concat(parts).toString("utf8"));
        },
      ),
    );
  });

  it("tells which stream has ended, while the other goes on; not after the end (I4)", () => {
    const going = new PassThrough();
    const streams = { stdout: new PassThrough(), stderr: going };
    const ended: string[] = [];
    const ignore = () => undefined;
    const output = readOutput({
      streams,
      onOutput: ignore,
      maxBytes: 9,
      onLimit: ignore,
      onEnd: (one) => ended.push(one),
    });
    streams.stdout.emit("end");
    expect(ended).toEqual(["stdout"]);
    output.finish();
    going.emit("end");
    expect(ended).toEqual(["stdout"]);
  });

  it("says when bytes end inside a character", () => {
    expect(play([["stderr", Buffer.from("é").subarray(0, 1)]]).seen).toEqual([["stderr", "\ufffd"]]);
  });

  it.each([
    [7, [["stdout", "abcd"], ["stderr", "efg"], "limit"]],
    [
      8,
      [
        ["stdout", "abcd"],
        ["stderr", "efgh"],
      ],
    ],
    [
      9,
      [
        ["stdout", "abcd"],
        ["stderr", "efgh"],
      ],
    ],
  ])("passes on at most %i bytes of both streams together (I3)", (maxBytes, expected) => {
    const { seen } = play(
      [
        ["stdout", Buffer.from("abcd")],
        ["stderr", Buffer.from("efgh")],
      ],
      maxBytes,
    );
    expect(seen).toEqual(expected);
  });

  it("is silent after its limit and after its end", () => {
    const { seen, streams } = play([["stdout", Buffer.from("abc")]], 2);
    streams.stdout.emit("data", Buffer.from("more"));
    streams.stderr.emit("error", new Error("EPIPE"));
    expect(seen).toEqual([["stdout", "ab"], "limit"]);
  });
});
