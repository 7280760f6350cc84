#!/usr/bin/env node
import fs from "node:fs";
// stub-model: a scripted model server for tests. Loopback only, no dependencies (node >= 18; >= 22.15 to accept zstd bodies).
//
//   node server.mjs [--port 0] [--log requests.jsonl] [--delay-ms 5]
//   -> prints one JSON line on stdout once it listens: {"url":"http://127.0.0.1:40123","port":40123,"pid":1}
//
// Speaks: Anthropic Messages    POST /v1/messages, /v1/messages/count_tokens
//         OpenAI Chat           POST [/v1]/chat/completions
//         OpenAI Responses      POST [/v1]/responses
//         Gemini                POST /v1beta/models/M:generateContent | :streamGenerateContent | :countTokens
//         GET [/v1]/models, GET /health
// Control: GET /__hanging (answered when the next [[hang]] has fallen silent), GET /__log (requests seen), DELETE /__log,
// POST /__script (a queue of replies, see below), DELETE /__script
//
// What it answers is decided by TAGS in the newest user message, so it holds no state per conversation and any number
// of agents may use it at once (prompts with no tag get an echo text):
//   [[say:TEXT]]        the final text (else an echo that names the turn number and the first prompt: proves a resume)
//   [[think]]           a reasoning/thinking part first;  [[think:TEXT]] with this text
//   [[tool]]            one call of the agent's shell tool: echo hi
//   [[tool:CMD]]        one call of the agent's shell tool: CMD
//   [[read:PATH]]       one call of the agent's file-read tool
//   [[call:NAME JSON]]  one call of the tool NAME (the agent's name for it, or the end of that name)
//   [[error:STATUS]]    the HTTP error STATUS in that API's error shape (401, 403, 429, 500, 529 ...), on every try
//   [[error:STATUSxN]]  the same for the first N requests with this very prompt, then the normal answer
//   [[cut]]             drops the socket in the middle of the stream;  [[hang]] one delta, then silence
//   [[delay:MS]]        time between deltas;  [[usage:IN,OUT]] the token counts reported
// Several tool tags in one prompt are called one after another, one per model round; the final text comes after the last
// result and quotes it. Replies queued with POST /__script {"replies":[{"text","think","calls":[{"name","args"}],"status",
// "delay","usage":[in,out]}]}
// are used first, in order, by requests that offer tools (so title-making side requests do not eat them).
import http from "node:http";
import { parseArgs } from "node:util";
import zlib from "node:zlib";

const { values: opt } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    log: { type: "string" },
    "delay-ms": { type: "string", default: "5" },
  },
});
const seen = []; // every request, for assertions
const failures = new Map(); // prompt -> how often an [[error:SxN]] has been answered
const waiting = []; // responses of GET /__hanging
let queue = []; // replies from POST /__script
let serial = 0;
const id = (prefix) => `${prefix}_stub${String(++serial).padStart(6, "0")}`;
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const textOf = (c) =>
  typeof c === "string"
    ? c
    : Array.isArray(c)
      ? c
          .map((p) => p?.text ?? p?.content ?? "")
          .map((t) => (typeof t === "string" ? t : textOf(t)))
          .join("\n")
      : (c?.text ?? "");
const tokens = (s) => Math.max(1, Math.ceil(String(s).length / 4));

// ---------------------------------------------------------------- requests -> one common shape
// items: [{role:'user'|'assistant'|'tool', text, call?:bool}], tools: [{name, schema, freeform?}]
const readers = {
  anthropic: (b) => ({
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
  }),
  chat: (b) => ({
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
  }),
  responses: (b) => ({
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
  }),
  gemini: (b, url) => ({
    model: /models\/([^:]+):/.exec(url)?.[1],
    stream: /:streamGenerateContent/.test(url),
    json: b.generationConfig?.responseMimeType === "application/json",
    jsonSchema: b.generationConfig?.responseJsonSchema ?? b.generationConfig?.responseSchema,
    tools: (b.tools ?? [])
      .flatMap((t) => t.functionDeclarations ?? [])
      .map((t) => ({ name: t.name, schema: t.parametersJsonSchema ?? t.parameters })),
    items: (b.contents ?? []).flatMap((c) => {
      if (c.role === "model")
        return [{ role: "assistant", text: textOf(c.parts), call: c.parts.some((p) => p.functionCall) }];
      return c.parts.map((p) =>
        p.functionResponse
          ? {
              role: "tool",
              text: String(p.functionResponse.response?.output ?? JSON.stringify(p.functionResponse.response)),
            }
          : { role: "user", text: p.text ?? "" },
      );
    }),
  }),
};

// ---------------------------------------------------------------- deciding what to answer
// Context blocks that agents put around or before the person's words (<system-reminder>...</system-reminder> and its like).
const WRAP =
  "system-reminder|environment_context|user_instructions|permissions|session_context|current_datetime|reminder|system_notification|skills|INSTRUCTIONS|user_info|recommended_plugins|apps_instructions|plugins_instructions|skills_instructions";
const unwrap = (t) => t.replace(new RegExp(`<(${WRAP})\\b[\\s\\S]*?</\\1[^>]*>`, "gi"), "").trim();
const isNoise = (t) => unwrap(t) === "" || /^# AGENTS\.md|^This is the Gemini CLI/.test(unwrap(t));
const SHELL = /^(bash|shell|shell_command|exec_command|run_shell_command|local_shell|execute_command|terminal)$/i;
const READ = /^(read|read_file|view|view_file|open_file)$/i;

// Arguments for a tool the agent declared: known names get our value, other required fields a filler of their type.
function argsFor(tool, value) {
  const props = tool.schema?.properties ?? {};
  const out = {};
  const fill = (k) => {
    const t = [props[k]?.type].flat()[0];
    return (
      props[k]?.enum?.[0] ??
      { number: 1, integer: 1, boolean: false, array: [], object: {} }[t?.toLowerCase?.()] ??
      "stub"
    );
  };
  const main = ["command", "cmd", "file_path", "filePath", "absolute_path", "path", "script"].find((k) => k in props);
  for (const k of tool.schema?.required ?? []) out[k] = fill(k);
  if (main) out[main] = [props[main].type].flat()[0]?.toLowerCase?.() === "array" ? ["bash", "-lc", value] : value;
  return out;
}
const findTool = (req, re) => req.tools.find((t) => re.test(t.name ?? ""));

function plan(req) {
  // the current turn: everything after the last assistant message that called no tool
  let start = 0;
  req.items.forEach((it, i) => {
    if (it.role === "assistant" && !it.call && !req.items[i + 1]?.call) start = i + 1;
  });
  const turn = req.items.slice(start);
  const users = (list) => list.filter((i) => i.role === "user" && !isNoise(i.text));
  const prompt = unwrap(users(turn).at(-1)?.text ?? users(req.items).at(-1)?.text ?? "");
  const results = turn.filter((i) => i.role === "tool");
  const turns = req.items.filter((it, i) => it.role === "assistant" && !it.call && !req.items[i + 1]?.call).length + 1;
  const tags = [...prompt.matchAll(/\[\[(\w+)(?::([\s\S]*?))?\]\]/g)].map((m) => ({ name: m[1], value: m[2] }));
  const tag = (n) => tags.find((t) => t.name === n);
  const p = {
    prompt,
    delay: Number(tag("delay")?.value ?? opt["delay-ms"]),
    cut: tag("cut"),
    hang: tag("hang"),
    calls: [],
    input: tokens(JSON.stringify(req.items)),
    turns,
  };
  [p.input, p.output] = (tag("usage")?.value ?? `${p.input},0`).split(",").map(Number);

  const side = req.tools.length === 0; // title makers, classifiers, summarisers: no tools offered
  const err = tag("error") && /^(\d+)(?:x(\d+))?$/.exec(tag("error").value ?? "");
  if (err && !(side && err[2])) {
    const n = failures.get(prompt) ?? 0;
    if (!err[2] || n < Number(err[2])) {
      failures.set(prompt, n + 1);
      return { ...p, status: Number(err[1]) };
    }
  }
  if (!side && queue.length) {
    const q = queue.shift();
    return {
      ...p,
      status: q.status,
      retryAfter: q.retryAfter,
      delay: q.delay ?? p.delay,
      ...(q.usage && { input: q.usage[0], output: q.usage[1] }),
      think: q.think,
      text: q.text ?? "",
      calls: (q.calls ?? []).map((c) => ({ ...c, id: id("call") })),
    };
  }
  if (req.json) return { ...p, text: JSON.stringify(argsFor({ schema: req.jsonSchema ?? {} }, "stub")) };
  if (side) return { ...p, text: "Stub title" };
  if (tag("think") && results.length === 0)
    p.think = tag("think").value ?? "Let me think about this. The user wants something simple. I will answer directly.";
  const wanted = tags.filter((t) => ["tool", "read", "call"].includes(t.name))[results.length];
  if (wanted) {
    let tool, args;
    const m = /^(\S+)\s*([\s\S]*)$/.exec(wanted.value ?? "");
    if (wanted.name === "call" && m) {
      tool = req.tools.find((t) => t.name === m[1]) ?? req.tools.find((t) => t.name?.endsWith(m[1]));
      args = m[2] ? JSON.parse(m[2]) : {};
    }
    if (wanted.name === "tool") {
      tool = findTool(req, SHELL);
      args = tool && argsFor(tool, wanted.value ?? "echo hi");
    }
    if (wanted.name === "read") {
      tool = findTool(req, READ);
      args = tool && argsFor(tool, wanted.value ?? "README.md");
    }
    if (tool)
      return {
        ...p,
        text: "I will use a tool.",
        calls: [{ id: id("call"), name: tool.name, namespace: tool.namespace, freeform: tool.freeform, args }],
      };
    return {
      ...p,
      text: `stub-model: the agent offers no tool for [[${wanted.name}:${wanted.value ?? ""}]]; it offers ${req.tools.map((t) => t.name).join(", ")}`,
    };
  }
  const text = results.at(-1)?.text;
  const last = text === undefined ? undefined : unwrap(text);
  const first = unwrap(users(req.items)[0]?.text ?? "");
  p.text =
    tag("say")?.value ??
    (last !== undefined
      ? `The tool returned: ${last.slice(0, 600)}. All done.`
      : `Hello from the stub model, turn ${turns}. You said: ${plain(prompt, 120)}. First prompt was: ${plain(first, 60)}`);
  return p;
}
const plain = (s, max) =>
  s
    .replace(/\[\[[\s\S]*?\]\]\s*/g, "")
    .trim()
    .slice(0, max);
const pieces = (s, n = 16) => s.match(new RegExp(`[\\s\\S]{1,${n}}`, "g")) ?? [];
const outTokens = (p) => p.output || tokens((p.think ?? "") + p.text + JSON.stringify(p.calls));

// ---------------------------------------------------------------- streams
// Each writer is an async generator of [eventName|undefined, data]; `null` marks a place where deltas are paced.
const writers = {
  async *anthropic(p, req) {
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
  },
  async *chat(p, req) {
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
  },
  async *responses(p, req) {
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
  },
  async *gemini(p, req) {
    const base = { modelVersion: req.model, responseId: id("gem") };
    const meta = (out) => ({
      promptTokenCount: p.input,
      candidatesTokenCount: out,
      totalTokenCount: p.input + out,
      ...(p.think && { thoughtsTokenCount: tokens(p.think) }),
    });
    const ch = (parts, finishReason, out = 0) => [
      undefined,
      {
        ...base,
        candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason && { finishReason }) }],
        usageMetadata: meta(out),
      },
    ];
    if (p.think) yield ch([{ text: `**Thinking**\n\n${p.think}`, thought: true }]);
    for (const text of pieces(p.text)) {
      yield null;
      yield ch([{ text }]);
    }
    const calls = p.calls.map((c) => ({
      functionCall: { id: c.id, name: c.name, args: c.args },
      thoughtSignature: "c3R1Yg==",
    }));
    yield ch(calls.length ? calls : [{ text: "" }], "STOP", outTokens(p));
  },
};

// One JSON body instead of a stream: replay the stream's events and fold them.
async function folded(api, p, req) {
  const all = [];
  for await (const e of writers[api](p, { ...req, usage: true })) if (e) all.push(e[1]);
  if (api === "responses") return all.at(-1).response;
  if (api === "gemini")
    return {
      ...all.at(-1),
      candidates: [
        {
          ...all.at(-1).candidates[0],
          content: {
            role: "model",
            parts: [
              ...(p.think ? [{ text: p.think, thought: true }] : []),
              ...(p.text ? [{ text: p.text }] : []),
              ...p.calls.map((c) => ({ functionCall: { name: c.name, args: c.args } })),
            ],
          },
        },
      ],
    };
  if (api === "chat") {
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
  const content = [
    ...(p.think ? [{ type: "thinking", thinking: p.think, signature: "c3R1Yg==" }] : []),
    ...(p.text ? [{ type: "text", text: p.text }] : []),
    ...p.calls.map((c) => ({ type: "tool_use", id: c.id, name: c.name, input: c.args })),
  ];
  const end = all.find((e) => e.type === "message_delta");
  return { ...all[0].message, content, stop_reason: end.delta.stop_reason, usage: end.usage };
}

const errorTypes = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};
const geminiStatus = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};
function errorBody(api, status) {
  const message = `stub-model: scripted HTTP ${status}`;
  if (api === "anthropic")
    return { type: "error", error: { type: errorTypes[status] ?? "api_error", message }, request_id: id("req") };
  if (api === "gemini") return { error: { code: status, message, status: geminiStatus[status] ?? "UNKNOWN" } };
  return {
    error: {
      message,
      type: errorTypes[status] ?? "server_error",
      param: null,
      code: status === 401 ? "invalid_api_key" : status === 429 ? "rate_limit_exceeded" : null,
    },
  };
}

// ---------------------------------------------------------------- the server
async function body(request) {
  const chunks = [];
  for await (const c of request) chunks.push(c);
  let raw = Buffer.concat(chunks);
  const enc = request.headers["content-encoding"];
  if (enc === "gzip") raw = zlib.gunzipSync(raw);
  else if (enc === "br") raw = zlib.brotliDecompressSync(raw);
  else if (enc === "zstd") raw = zlib.zstdDecompressSync(raw);
  try {
    return raw.length ? JSON.parse(raw.toString("utf8")) : {};
  } catch {
    return { unparsed: raw.toString("utf8").slice(0, 500) };
  }
}
const json = (res, status, value, headers = {}) => {
  res.writeHead(status, { "content-type": "application/json", ...headers });
  res.end(JSON.stringify(value));
};
const apiOf = (path) =>
  /\/messages$/.test(path)
    ? "anthropic"
    : /\/chat\/completions$/.test(path)
      ? "chat"
      : /\/responses$/.test(path)
        ? "responses"
        : /:(stream)?[gG]enerateContent$/.test(path)
          ? "gemini"
          : undefined;

async function handle(request, res) {
  const path = new URL(request.url, "http://x").pathname;
  const b = await body(request);
  if (path === "/__log") {
    if (request.method === "DELETE") seen.length = 0;
    return json(res, 200, seen);
  }
  if (path === "/__hanging") return waiting.push(res);
  if (path === "/__script") {
    queue = request.method === "DELETE" ? [] : [...queue, ...(b.replies ?? [])];
    return json(res, 200, { queued: queue.length });
  }
  const api = request.method === "POST" ? apiOf(path) : undefined;
  const entry = {
    t: new Date().toISOString(),
    method: request.method,
    path: request.url,
    headers: request.headers,
    body: b,
  };
  seen.push(entry);
  if (seen.length > 500) seen.shift();
  try {
    if (!api) {
      if (/count_tokens$/.test(path)) return json(res, 200, { input_tokens: tokens(JSON.stringify(b)) });
      if (/:countTokens$/.test(path)) return json(res, 200, { totalTokens: tokens(JSON.stringify(b)) });
      if (/\/models$/.test(path))
        return json(res, 200, {
          object: "list",
          data: [
            { id: "stub-model", object: "model", type: "model", created: 0, owned_by: "stub", display_name: "Stub" },
          ],
          models: [],
          has_more: false,
        });
      if (path === "/" || path === "/health") return json(res, 200, { ok: true });
      entry.status = 404;
      return json(res, 404, {
        error: { message: `stub-model: no ${request.method} ${path}`, type: "not_found_error" },
      });
    }
    const req = readers[api](b, request.url);
    const p = plan(req);
    entry.plan = p;
    entry.status = p.status ?? 200;
    if (p.status && p.status !== 200)
      return json(
        res,
        p.status,
        errorBody(api, p.status),
        p.status === 429 ? { "retry-after": String(p.retryAfter ?? 1) } : {},
      );
    if (!req.stream) return json(res, 200, await folded(api, p, req));
    res.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-request-id": id("req"),
    });
    let n = 0;
    for await (const e of writers[api](p, req)) {
      if (res.destroyed) {
        entry.clientGone = true;
        return;
      }
      if (e === null) {
        if (p.cut && n > 0) return res.destroy();
        if (p.hang && n > 0) for (const one of waiting.splice(0)) json(one, 200, {});
        while (p.hang && n > 0 && !res.destroyed) await sleep(100);
        n++;
        await sleep(p.delay);
        continue;
      }
      res.write(`${e[0] ? `event: ${e[0]}\n` : ""}data: ${typeof e[1] === "string" ? e[1] : JSON.stringify(e[1])}\n\n`);
    }
    res.end();
  } finally {
    if (opt.log) fs.appendFileSync(opt.log, `${JSON.stringify(entry)}\n`);
  }
}
const server = http.createServer((q, s) =>
  handle(q, s).catch((e) => {
    process.stderr.write(`${e}\n`);
    if (!s.headersSent) json(s, 500, { error: { message: String(e) } });
    else s.destroy();
  }),
);
server.listen(Number(opt.port), "127.0.0.1", () =>
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}`, port: server.address().port, pid: process.pid })}\n`,
  ),
);
for (const sig of ["SIGINT", "SIGTERM"])
  process.on(sig, () => {
    server.close();
    server.closeAllConnections();
    process.exit(0);
  });
