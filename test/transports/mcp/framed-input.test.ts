import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { framedInput, type Refused } from "../../../transports/mcp/framed-input.ts";

const ping = (more: object) => ({ jsonrpc: "2.0", id: 7, method: "ping", ...more });

test("messages pass in their order, in any portions; the rest is answered", async () => {
  const input = new PassThrough();
  const refused: object[] = [];
  const framed = framedInput(input, (refusal) => refused.push(refusal));
  const [first, last] = [ping({ id: 1, params: { text: "é" } }), ping({ id: 4 })].map((one) => JSON.stringify(one));
  const lines = [first, '[{"id":2},{"id":3}]', "[]", "no JSON", "", last];
  for (const byte of Buffer.from(lines.join("\n"))) input.write(Buffer.from([byte]));
  input.end();
  expect(await text(framed)).toBe(`${first}\n${last}\n`);
  const batch = { jsonrpc: "2.0", id: null, error: { code: -32600, message: expect.stringContaining("batches") } };
  expect(refused).toEqual([batch, batch, { ...batch, error: { code: -32700, message: "Parse error" } }]);
});

test.each([
  [{}, null, '"jsonrpc" must be "2.0"'],
  [ping({ jsonrpc: "1.0" }), 7, '"jsonrpc" must be "2.0"'],
  [{ jsonrpc: "2.0", id: 7 }, 7, '"method" is missing'],
  [ping({ method: 5 }), 7, '"method" must be a string'],
  [ping({ id: null }), null, '"id" must be a string or a whole number'],
  [ping({ id: 1.5 }), null, '"id" must be a string or a whole number'],
  [ping({ params: [1] }), 7, '"params" must be an object'],
  [ping({ params: { _meta: 5 } }), 7, '"_meta" of "params" is not as the protocol has it'],
  [ping({ extra: 1 }), 7, 'there is no field "extra"'],
])("%j is answered with what is wrong, under its id", async (message, id, why) => {
  expect(await heard(message)).toEqual({
    passed: "",
    refused: [{ jsonrpc: "2.0", id, error: { code: -32600, message: `Invalid request: ${why}` } }],
  });
});

test("a request with a field __proto__ is refused: it would be lost in silence", async () => {
  const input = new PassThrough();
  const refused: object[] = [];
  const framed = framedInput(input, (refusal) => refused.push(refusal));
  const given = (field: string) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{${field}}}}`;
  const words = JSON.stringify({ who: '"__proto__": of words' });
  input.end(`${given('"__proto__": "x"')}\n${given('"__pr\\u006fto__" : 1')}\n${given(words.slice(1, -1))}\n`);
  expect(JSON.parse(await text(framed)).params.arguments).toEqual({ who: '"__proto__": of words' });
  const error = { code: -32602, message: "Invalid params: no field is called __proto__" };
  expect(refused).toEqual([
    { jsonrpc: "2.0", id: 7, error },
    { jsonrpc: "2.0", id: 7, error },
  ]);
});

const LONG = "x".repeat(11 * 1024 * 1024);
test.each([
  [{ jsonrpc: "2.0", id: 7, method: "ping", params: { id: 1, LONG } }, 7],
  [{ method: "ping", params: { id: 1, LONG }, jsonrpc: "2.0", id: 'a"b' }, 'a"b'],
  [{ id: 8, jsonrpc: "2.0", method: "ping", params: [{ id: 2 }, LONG, { id: 3 }] }, 8],
  [{ jsonrpc: "2.0", method: "ping", params: { LONG, id: 4 } }, null],
  [{ jsonrpc: "2.0", id: 9, result: { method: "ping", LONG } }, null],
])("a line that is too long is answered under the id of its request, case %#", async (message, id) => {
  const error = { code: -32600, message: expect.stringContaining("bytes") };
  expect(await heard(message)).toMatchObject({ passed: "", refused: [{ id, error }] });
});

test("an answer that is none is not answered", async () => {
  for (const answer of [{ error: { code: 1, message: "no" } }, { result: 5 }])
    expect(await heard({ jsonrpc: "2.0", id: null, ...answer })).toEqual({ passed: "", refused: [] });
});

async function heard(message: object): Promise<{ passed: string; refused: Refused[] }> {
  const input = new PassThrough();
  const refused: Refused[] = [];
  const framed = framedInput(input, (refusal) => refused.push(refusal));
  input.end(JSON.stringify(message));
  return { passed: await text(framed), refused };
}
