import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { insteadOf, unreadable } from "../../../actors/acp-client/unread.ts";

const of = (text: string) => insteadOf(text, "why");

describe("in the place of a message that is not read (I1)", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":7,"method":"fs/write_text_file","params":{"content":"zz', 7],
    ['{ "method" : "x", "id" : "a\\"b", "params": [', 'a"b'],
    ['{"jsonrpc":"2.0","id":0,"method":"session/update","params":{"sessionId":"s",', 0],
  ])("a request is refused under its id: %s", (text, id) => {
    expect(of(text)).toEqual({
      reply: { jsonrpc: "2.0", id, error: { code: -32600, message: "Invalid request: why" } },
    });
  });

  test.each(['{"jsonrpc":"2.0","id":7,"result":{', '{"id":7,"jsonrpc":"2.0","error":{"code":1'])(
    "an answer is an error: %s",
    (text) => {
      expect(of(text)).toMatchObject({ hear: { id: 7, error: { message: "its answer is not read: why" } } });
    },
  );

  test("an update of a session is one that says what is missing", () => {
    const update = { sessionUpdate: "message_not_read", why: "why" };
    expect(of('{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s 1","update":{"zz')).toEqual({
      hear: { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s 1", update } },
    });
  });

  test.each([
    "",
    "z".repeat(2000),
    '{"level":"info","text":"',
    '{"jsonrpc":"2.0","result":{',
    '{"jsonrpc":"2.0","method":"fs/write_text_file","params":{"sessionId":"s",',
    '{"jsonrpc":"2.0","method":"session/update","params":{"update":{',
    '{"id":01,"result":{',
    '{"id":"\\x","result":{',
    '[{"id":1,"result":{',
  ])("nothing is put there where its beginning does not tell what it is (I2): %s", (text) => {
    expect(of(text)).toBeNull();
  });

  test("whatever the text is, it never throws", () => {
    const piece = fc.constantFrom(
      "{",
      '"id":',
      '"method":',
      "1,",
      '"a",',
      "\\",
      "\n",
      '"result":{',
      '"__proto__":"x",',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 }))), (pieces) => void of(pieces.join(""))),
    );
  });
});

test("a text that is nested too deep, or holds too much, is not read", () => {
  expect(unreadable("[".repeat(500))).toBe("a message may be nested 128 deep");
  expect(unreadable(`[${"1,".repeat(100_001)}1]`)).toBe("a message may hold 100000 keys and items");
  expect(unreadable("{".padEnd(500))).toBeNull();
});
