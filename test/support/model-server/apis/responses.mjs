// OpenAI Responses: its requests, its streams, its whole bodies and its errors.
import { id, outTokens, pieces, textOf, tokens } from "../words.mjs";

/** A request in the common shape. */
export const read = (b) => ({
  model: b.model,
  stream: b.stream === true,
  tools: (b.tools ?? [])
    .flatMap((t) => (t.type === "namespace" ? (t.tools ?? []).map((u) => ({ ...u, namespace: t.name })) : [t]))
    .map((t) => ({
      name: t.name ?? t.type,
      schema: t.parameters,
      freeform: t.type === "custom",
      namespace: t.namespace,
    })),
  items: (typeof b.input === "string" ? [{ role: "user", content: b.input }] : (b.input ?? [])).flatMap((i) => {
    if (/_call_output$/.test(i.type ?? "")) return [{ role: "tool", text: textOf(i.output) }];
    if (/_call$/.test(i.type ?? "")) return [{ role: "assistant", text: "", call: true }];
    if (i.role === "assistant") return [{ role: "assistant", text: textOf(i.content) }];
    return i.role === "user" ? [{ role: "user", text: textOf(i.content) }] : [];
  }),
});

/** The events of its stream. */
export async function* write(p, req) {
  let seq = 0,
    n = 0;
  const ev = (type, d) => [type, { type, sequence_number: seq++, ...d }];
  const response = {
    id: id("resp"),
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "in_progress",
    model: req.model,
    output: [],
    parallel_tool_calls: true,
    tools: [],
    tool_choice: "auto",
    error: null,
    incomplete_details: null,
    usage: null,
  };
  yield ev("response.created", { response });
  yield ev("response.in_progress", { response });
  const output = [];
  if (p.think) {
    const item = { id: id("rs"), type: "reasoning", summary: [], encrypted_content: "c3R1Yg==" };
    const at = { item_id: item.id, output_index: n, summary_index: 0 };
    yield ev("response.output_item.added", { output_index: n, item });
    yield ev("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
    for (const delta of pieces(p.think)) {
      yield null;
      yield ev("response.reasoning_summary_text.delta", { ...at, delta });
    }
    yield ev("response.reasoning_summary_text.done", { ...at, text: p.think });
    yield ev("response.reasoning_summary_part.done", { ...at, part: { type: "summary_text", text: p.think } });
    output.push({ ...item, summary: [{ type: "summary_text", text: p.think }] });
    yield ev("response.output_item.done", { output_index: n++, item: output.at(-1) });
  }
  if (p.text) {
    const item = { id: id("msg"), type: "message", role: "assistant", status: "in_progress", content: [] };
    const at = { item_id: item.id, output_index: n, content_index: 0 };
    const part = { type: "output_text", text: p.text, annotations: [] };
    yield ev("response.output_item.added", { output_index: n, item });
    yield ev("response.content_part.added", { ...at, part: { ...part, text: "" } });
    for (const delta of pieces(p.text)) {
      yield null;
      yield ev("response.output_text.delta", { ...at, delta });
    }
    yield ev("response.output_text.done", { ...at, text: p.text });
    yield ev("response.content_part.done", { ...at, part });
    output.push({ ...item, status: "completed", content: [part] });
    yield ev("response.output_item.done", { output_index: n++, item: output.at(-1) });
  }
  for (const c of p.calls) {
    const args = c.freeform ? (c.args.input ?? String(Object.values(c.args)[0] ?? "")) : JSON.stringify(c.args);
    const kind = c.freeform ? { type: "custom_tool_call", input: "" } : { type: "function_call", arguments: "" };
    const item = {
      id: id("fc"),
      call_id: c.id,
      name: c.name,
      ...(c.namespace && { namespace: c.namespace }),
      status: "in_progress",
      ...kind,
    };
    const name = c.freeform ? "response.custom_tool_call_input" : "response.function_call_arguments";
    const key = c.freeform ? "input" : "arguments";
    yield ev("response.output_item.added", { output_index: n, item });
    for (const delta of pieces(args)) {
      yield null;
      yield ev(`${name}.delta`, { item_id: item.id, output_index: n, delta });
    }
    yield ev(`${name}.done`, { item_id: item.id, output_index: n, [key]: args });
    output.push({ ...item, status: "completed", [key]: args });
    yield ev("response.output_item.done", { output_index: n++, item: output.at(-1) });
  }
  const usage = {
    input_tokens: p.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outTokens(p),
    output_tokens_details: { reasoning_tokens: p.think ? tokens(p.think) : 0 },
    total_tokens: p.input + outTokens(p),
  };
  yield ev("response.completed", { response: { ...response, status: "completed", output, usage } });
}

/** What its stream comes to, where it is asked for as one body. */
export const fold = (all) => all.at(-1).response;

export { openaiRefusal as refusal } from "../errors.mjs";
