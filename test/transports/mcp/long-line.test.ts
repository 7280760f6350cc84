/** Covers `long-line.ts`: the id of a request whose line was too long, from its two ends. */
import fc from "fast-check";
import { expect, it, test } from "vitest";
import { idOfLongLine } from "../../../transports/mcp/long-line.ts";

const CALL = '"method":"tools/call","params":{"arguments":{"x":"';

it.each<[head: string, tail: string, id: string | number | null]>([
  [`{"jsonrpc":"2.0","id":7,${CALL}aaa`, 'aaa"}}}', 7],
  [`{"jsonrpc":"2.0",${CALL}aaa`, 'aaa"}},"id":"a-1"}', "a-1"],
  [`{${CALL}aaa`, 'aaa"}},"id":8,"jsonrpc":"2.0"}\n', 8],
  // an answer, whose id is ours
  ['{"jsonrpc":"2.0","id":7,"result":{"x":"aaa', 'aaa"}}', null],
  // an id that is not the message's own
  [`{"jsonrpc":"2.0",${CALL}aaa`, 'aaa","id":5}}}', null],
  ['{"jsonrpc":"2.0","method":"x","params":{"id":5,"x":"aaa', 'aaa"}}', null],
  // what is no text of JSON
  [`{"id":"\\q",${CALL}aaa`, 'aaa"}}}', null],
  [`{"jsonrpc":"2.0",${CALL}aaa`, 'aaa"}},"id":"\\q"}', null],
  [`{"id":1.5,${CALL}aaa`, 'aaa"}}}', null],
])("%s … %s", (head, tail, id) => expect(idOfLongLine(head, tail)).toBe(id));

test("no line makes it throw", () => {
  const text = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ id0q') });
  fc.assert(
    fc.property(text, text, (head, tail) => {
      idOfLongLine(`{"method":"x",${head}`, tail);
      idOfLongLine(`{"method":"x"`, `,"id":${tail}}`);
    }),
    { numRuns: 2_000 },
  );
});
