#!/usr/bin/env node
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
import fs from "node:fs";
import http from "node:http";
import { parseArgs } from "node:util";
import zlib from "node:zlib";
import * as anthropic from "./apis/anthropic.mjs";
import * as chat from "./apis/chat.mjs";
import * as gemini from "./apis/gemini.mjs";
import * as responses from "./apis/responses.mjs";
import { plan, script, unscript } from "./plan.mjs";
import { id, tokens } from "./words.mjs";

// Each reads requests into one common shape, and writes answers in its own:
// items: [{role:'user'|'assistant'|'tool', text, call?:bool}], tools: [{name, schema, freeform?}]
// Each writer is an async generator of [eventName|undefined, data]; `null` marks a place where deltas are paced.
const APIS = { anthropic, chat, responses, gemini };
const { values: opt } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    log: { type: "string" },
    "delay-ms": { type: "string", default: "5" },
  },
});
const seen = []; // every request, for assertions
const waiting = []; // responses of GET /__hanging
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

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
// One JSON body instead of a stream: replay the stream's events and fold them.
async function folded(api, p, req) {
  const all = [];
  for await (const e of api.write(p, { ...req, usage: true })) if (e) all.push(e[1]);
  return api.fold(all, p);
}
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
    return json(res, 200, { queued: request.method === "DELETE" ? unscript() : script(b.replies ?? []) });
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
    const req = APIS[api].read(b, request.url);
    const p = plan(req, opt["delay-ms"]);
    entry.plan = p;
    entry.status = p.status ?? 200;
    if (p.status && p.status !== 200)
      return json(
        res,
        p.status,
        APIS[api].refusal(p.status, `stub-model: scripted HTTP ${p.status}`),
        p.status === 429 ? { "retry-after": String(p.retryAfter ?? 1) } : {},
      );
    if (!req.stream) return json(res, 200, await folded(APIS[api], p, req));
    res.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-request-id": id("req"),
    });
    let n = 0;
    for await (const e of APIS[api].write(p, req)) {
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
