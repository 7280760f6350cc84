import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { framedInput } from "../../../transports/mcp/framed-input.ts";

test("messages pass in their order, in any portions; the rest is answered", async () => {
  const input = new PassThrough();
  const refused: object[] = [];
  const framed = framedInput(input, (refusal) => refused.push(refusal));
  const lines = ['{"id":1,"text":"é"}', '[{"id":2},{"id":3}]', "[]", "no JSON", "", '{"id":4}'];
  for (const byte of Buffer.from(lines.join("\n"))) input.write(Buffer.from([byte]));
  input.end();
  expect(await text(framed)).toBe('{"id":1,"text":"é"}\n{"id":4}\n');
  const batch = { jsonrpc: "2.0", id: null, error: { code: -32600, message: expect.stringContaining("batches") } };
  expect(refused).toEqual([batch, batch, { ...batch, error: { code: -32700, message: "Parse error" } }]);
});
