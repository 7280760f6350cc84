// Anthropic Messages: its requests, its streams, its whole bodies and its errors.
import { ERROR_TYPES } from "../errors.mjs";
import { id, outTokens, pieces, textOf } from "../words.mjs";

/** A request in the common shape. */
export const read = (b) => ({
  model: b.model,
  stream: b.stream === true,
  tools: (b.tools ?? []).map((t) => ({ name: t.name, schema: t.input_schema })),
  items: (b.messages ?? []).flatMap((m) => {
    const parts = typeof m.content === "string" ? [{ type: "text", text: m.content }] : m.content;
    if (m.role === "assistant")
      return [{ role: "assistant", text: textOf(parts), call: parts.some((p) => p.type === "tool_use") }];
    if (m.role === "system") return [];
    return parts.map((p) =>
      p.type === "tool_result" ? { role: "tool", text: textOf(p.content) } : { role: "user", text: p.text ?? "" },
    );
  }),
});

/** The events of its stream. */
export async function* write(p, req) {
  const usage = {
    input_tokens: p.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
  };
  const ev = (type, d) => [type, { type, ...d }];
  yield ev("message_start", {
    message: {
      id: id("msg"),
      type: "message",
      role: "assistant",
      model: req.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
  let n = 0;
  if (p.think) {
    yield ev("content_block_start", { index: n, content_block: { type: "thinking", thinking: "", signature: "" } });
    for (const t of pieces(p.think)) {
      yield null;
      yield ev("content_block_delta", { index: n, delta: { type: "thinking_delta", thinking: t } });
    }
    yield ev("content_block_delta", { index: n, delta: { type: "signature_delta", signature: "c3R1Yg==" } });
    yield ev("content_block_stop", { index: n++ });
  }
  if (p.text) {
    yield ev("content_block_start", { index: n, content_block: { type: "text", text: "" } });
    for (const t of pieces(p.text)) {
      yield null;
      yield ev("content_block_delta", { index: n, delta: { type: "text_delta", text: t } });
    }
    yield ev("content_block_stop", { index: n++ });
  }
  for (const c of p.calls) {
    yield ev("content_block_start", {
      index: n,
      content_block: { type: "tool_use", id: c.id.replace("call", "toolu"), name: c.name, input: {} },
    });
    for (const t of pieces(JSON.stringify(c.args))) {
      yield null;
      yield ev("content_block_delta", { index: n, delta: { type: "input_json_delta", partial_json: t } });
    }
    yield ev("content_block_stop", { index: n++ });
  }
  yield ev("message_delta", {
    delta: { stop_reason: p.calls.length ? "tool_use" : "end_turn", stop_sequence: null },
    usage: { ...usage, output_tokens: outTokens(p) },
  });
  yield ev("message_stop", {});
}

/** What its stream comes to, where it is asked for as one body. */
export function fold(all, p) {
  const content = [
    ...(p.think ? [{ type: "thinking", thinking: p.think, signature: "c3R1Yg==" }] : []),
    ...(p.text ? [{ type: "text", text: p.text }] : []),
    ...p.calls.map((c) => ({ type: "tool_use", id: c.id, name: c.name, input: c.args })),
  ];
  const end = all.find((e) => e.type === "message_delta");
  return { ...all[0].message, content, stop_reason: end.delta.stop_reason, usage: end.usage };
}

export const refusal = (status, message) => ({
  type: "error",
  error: { type: ERROR_TYPES[status] ?? "api_error", message },
  request_id: id("req"),
});
