// OpenAI Chat: its requests, its streams, its whole bodies and its errors.
import { id, outTokens, pieces, textOf, tokens } from "../words.mjs";

/** A request in the common shape. */
export const read = (b) => ({
  model: b.model,
  stream: b.stream === true,
  usage: b.stream_options?.include_usage,
  tools: (b.tools ?? []).map((t) => ({
    name: t.function?.name ?? t.custom?.name,
    schema: t.function?.parameters,
    freeform: t.type === "custom",
  })),
  items: (b.messages ?? [])
    .filter((m) => m.role !== "system" && m.role !== "developer")
    .map((m) => ({
      role: m.role === "assistant" || m.role === "tool" ? m.role : "user",
      text: textOf(m.content),
      call: Boolean(m.tool_calls?.length),
    })),
});

/** The events of its stream. */
export async function* write(p, req) {
  const base = {
    id: id("chatcmpl"),
    object: "chat.completion.chunk",
    created: Math.floor(Date.now() / 1000),
    model: req.model,
  };
  const ch = (delta, finish_reason = null) => [undefined, { ...base, choices: [{ index: 0, delta, finish_reason }] }];
  yield ch({ role: "assistant", content: "" });
  for (const t of pieces(p.think ?? "")) {
    yield null;
    yield ch({ reasoning_content: t });
  }
  for (const t of pieces(p.text)) {
    yield null;
    yield ch({ content: t });
  }
  for (const [index, c] of p.calls.entries()) {
    yield ch({ tool_calls: [{ index, id: c.id, type: "function", function: { name: c.name, arguments: "" } }] });
    for (const t of pieces(JSON.stringify(c.args))) {
      yield null;
      yield ch({ tool_calls: [{ index, function: { arguments: t } }] });
    }
  }
  yield ch({}, p.calls.length ? "tool_calls" : "stop");
  if (req.usage)
    yield [
      undefined,
      {
        ...base,
        choices: [],
        usage: {
          prompt_tokens: p.input,
          completion_tokens: outTokens(p),
          total_tokens: p.input + outTokens(p),
          completion_tokens_details: { reasoning_tokens: p.think ? tokens(p.think) : 0 },
        },
      },
    ];
  yield [undefined, "[DONE]"];
}

/** What its stream comes to, where it is asked for as one body. */
export function fold(all, p) {
  const tool_calls = p.calls.map((c) => ({
    id: c.id,
    type: "function",
    function: { name: c.name, arguments: JSON.stringify(c.args) },
  }));
  return {
    ...all[0],
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: p.text,
          ...(p.think && { reasoning_content: p.think }),
          ...(tool_calls.length && { tool_calls }),
        },
        finish_reason: tool_calls.length ? "tool_calls" : "stop",
      },
    ],
    usage: all.at(-2).usage,
  };
}

export { openaiRefusal as refusal } from "../errors.mjs";
