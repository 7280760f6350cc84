import fc from "fast-check";
import { expect, test } from "vitest";
import { UpdateLines } from "../../../transports/acp/update-lines.ts";

const whole = (sessionId: string, update: object): string =>
  JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });

const word = fc.oneof(fc.constantFrom("a", "b"), fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));
const chunk = fc.record({
  sessionUpdate: fc.constantFrom("agent_message_chunk", "agent_thought_chunk"),
  content: fc.record({ type: fc.constant("text"), text: word }),
  messageId: word,
});
/** Nearly a chunk: a field more, less, elsewhere, or of another type. */
const other = fc.oneof(
  chunk.map((one) => ({ ...one, _meta: { "troupe/x": 1 } })),
  chunk.map(({ messageId, ...one }) => ({ messageId, ...one })),
  chunk.map(({ messageId: _, ...one }) => one),
  chunk.map((one) => ({ ...one, messageId: undefined })),
  chunk.map((one) => ({ ...one, content: { ...one.content, annotations: null } })),
  chunk.map((one) => ({ ...one, content: { text: one.content.text, type: "text" } })),
  chunk.map((one) => ({ ...one, content: { type: "text", text: undefined } })),
  chunk.map((one) => ({ ...one, content: { type: "image", text: one.content.text } })),
  chunk.map((one) => ({ ...one, content: [one.content] })),
  chunk.map((one) => ({ ...one, content: null })),
  fc.object(),
);

test("a line is what JSON.stringify makes of the message, whatever came before it", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, fc.oneof(chunk, chunk, other))), (updates) => {
      const lines = new UpdateLines();
      for (const [session, update] of updates) expect(lines.of(session, update)).toBe(whole(session, update));
    }),
    { numRuns: 500 },
  );
});
