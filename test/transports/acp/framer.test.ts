import fc from "fast-check";
import { expect, test } from "vitest";
import { Framer, type Message, type Refusal } from "../../../transports/acp/framer.ts";

type Heard = Message | { code: number; reason?: unknown };

/** What a framer hears in these portions, refusals by their code. */
function hear(portions: readonly (string | Buffer)[], maxBytes?: number): Heard[] {
  const heard: Heard[] = [];
  const refuse = ({ jsonrpc, id, error }: Refusal): void => {
    expect({ jsonrpc, id }).toEqual({ jsonrpc: "2.0", id: null });
    heard.push({ code: error.code, ...(error.data ? { reason: error.data["reason"] } : {}) });
  };
  const framer = new Framer(
    { message: (message) => heard.push(message), refuse },
    maxBytes === undefined ? {} : { maxBytes },
  );
  for (const portion of portions) framer.take(Buffer.from(portion as string));
  framer.end();
  return heard;
}
const TOO_LARGE = { code: -32600, reason: "message_too_large" };

test.each<[string, (string | Buffer)[], Heard[]]>([
  ["one line", ['{"a":1}\n'], [{ a: 1 }]],
  ["two lines in one portion", ['{"a":1}\n{"a":2}\n'], [{ a: 1 }, { a: 2 }]],
  ["a line in two portions", ['{"a"', ":1}\n"], [{ a: 1 }]],
  ["carriage returns, blank lines, a byte order mark", ['\uFEFF{"a":1}\r\n\r\n  \n{"a":2}\r\n'], [{ a: 1 }, { a: 2 }]],
  ["a last line without a newline", ['{"a":1}'], [{ a: 1 }]],
  ["no JSON", ['{"a":\n{"a":1}\n'], [{ code: -32700 }, { a: 1 }]],
  ["NUL bytes", ["\0\0\n{}\n"], [{ code: -32700 }, {}]],
  ["a batch", ['[{"a":1}]\n{"a":1}\n'], [{ code: -32600 }, { a: 1 }]],
  ["scalars", ['42\nnull\n"x"\ntrue\n'], Array(4).fill({ code: -32600 })],
  ["invalid UTF-8", [Buffer.from([123, 34, 255, 34, 58, 49, 125, 10])], [{ "\uFFFD": 1 }]],
])("%s", (_, portions, expected) => {
  expect(hear(portions)).toEqual(expected);
});

test.each([
  ["in one portion", [`{"a":"${"x".repeat(100)}"}\n{"b":1}\n`]],
  ["in many", [..."x".repeat(65), '\n{"b":', "1}\n"]],
  ["whose newline comes with the next line", ["x".repeat(65), "y".repeat(1000), '\n{"b":1}\n']],
])("a line over the limit %s is dropped, answered, and the next one heard (I1, I2)", (_, portions) => {
  expect(hear(portions, 64)).toEqual([TOO_LARGE, { b: 1 }]);
});

test("a line of exactly the limit is heard", () => {
  const line = JSON.stringify({ a: "x".repeat(56) });
  expect(line).toHaveLength(64);
  expect(hear([`${line}\n`], 64)).toHaveLength(1);
  expect(hear([`${line} \n`], 64)).toEqual([TOO_LARGE]);
});

test("100,000 brackets deep is no message and no crash", () => {
  expect(hear([`${"[".repeat(100_000)}\n{"a":1}\n`])).toEqual([{ code: -32600, reason: "too_deep" }, { a: 1 }]);
});

test("portions make no difference, whatever the bytes (I1)", () => {
  const line = fc.oneof(
    fc.json().map((text) => Buffer.from(`${text}\n`)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.constant(Buffer.from('{"jsonrpc":"2.0","id":1}\n')),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(200), { maxLength: 8 }), (lines, cuts) => {
      const bytes = Buffer.concat(lines);
      const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const portions = edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge));
      expect(hear(portions, 30)).toEqual(hear([bytes], 30));
    }),
  );
});
