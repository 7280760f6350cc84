/**
 * The messages of a conversation, as they are sent and remembered.
 *
 * I1. What is sent is whole: each call of a tool has its result, also where a crash came between the two.
 * I2. The thoughts of a turn that uses tools, and what a server adds to a call, go back to the server that gave them,
 *     which may refuse it without, and to no other, which may refuse it with them.
 * I3. The arguments of a call that is sent are a JSON object, whatever the model wrote: there are servers that refuse all
 *     of a conversation for anything else.
 */
import { type Json, own } from "../../../machines/model.ts";
import type { Attachment } from "../../attachments/attachments.ts";
import { fieldsAt, fieldsOf, isFields, listAt, textAt } from "../../base/json.ts";
import { toldJson } from "../told-json.ts";

/** `extra`: what the server adds to it, such as the signature of the thought behind it. */
export type ToolCall = { id: string; name: string; arguments: string; extra?: Json };

export const system = (content: string): Json => ({ role: "system", content });
export const user = (content: string): Json => ({ role: "user", content });
export const tool = (call: string, content: string): Json => ({ role: "tool", tool_call_id: call, content });
/** What a server thought, by the names that it gives and takes. */
export type Thought = { reasoning_content?: string; reasoning_details?: Json[] };
/** What is the server's alone is remembered with its address, which is not sent (I2). */
export function assistant(content: string, calls: readonly ToolCall[], thought: Thought, server: string): Json {
  const isOwn = Object.keys(thought).length > 0 || calls.some(({ extra }) => extra !== undefined);
  const own = { ...thought, ...(isOwn ? { server } : {}) };
  if (calls.length === 0) return { role: "assistant", content, ...own };
  const tool_calls = calls.map(({ id, name, arguments: text, extra }) => ({
    id,
    type: "function",
    function: { name, arguments: isFields(toldJson(text)) ? text : "{}" },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }));
  return { role: "assistant", content: content === "" ? null : content, tool_calls, ...own };
}

/** What a call's arguments are; null where they are no JSON object. Models say in several ways that there are none. */
export function argumentsIn(text: string): { [name: string]: Json } | null {
  if (["", "null"].includes(text.trim())) return {};
  const value = toldJson(text);
  return isFields(value) ? value : null;
}

const roleOf = (message: Json): string | null => textAt(fieldsOf(message), "role");
const INTERRUPTED = "The call was interrupted; what it did is not known.";

/** The results that calls of the conversation's end are missing. */
export function missingResults(messages: readonly Json[]): Json[] {
  const last = messages.findLastIndex((message) => roleOf(message) === "assistant");
  if (last === -1) return [];
  const calls = listAt(fieldsOf(messages[last]), "tool_calls").map((call) => textAt(fieldsOf(call), "id") ?? "");
  const answered = messages.slice(last + 1).map((message) => textAt(fieldsOf(message), "tool_call_id"));
  return calls.filter((id) => !answered.includes(id)).map((id) => tool(id, INTERRUPTED));
}

/** Whether the conversation ends with these very words of the user. */
export function endsWith(messages: readonly Json[], prompt: string): boolean {
  const last = messages.at(-1);
  return last !== undefined && roleOf(last) === "user" && textAt(fieldsOf(last), "content") === prompt;
}

/** The conversation as it is sent to this server: with one system prompt, the newest, before all. */
export function sendable(messages: readonly Json[], server: string): Json[] {
  const newest = messages.findLast((message) => roleOf(message) === "system");
  const rest = messages.filter((message) => roleOf(message) !== "system").map((message) => sentTo(server, message));
  return newest === undefined ? rest : [newest, ...rest];
}

function sentTo(server: string, message: Json): Json {
  const { server: from, ...rest } = fieldsOf(message);
  if (from === undefined) return message;
  if (from === server) return rest;
  const { reasoning_content: _, reasoning_details: __, ...plain } = rest;
  if (plain["tool_calls"] === undefined) return plain;
  return { ...plain, tool_calls: listAt(plain, "tool_calls").map(withoutExtra) };
}

function withoutExtra(call: Json): Json {
  const { extra_content: _, ...plain } = fieldsOf(call);
  return plain;
}

/** The conversation with the bytes of what its users' words name; what is remembered are the words alone. */
export const withAttached = (messages: readonly Json[], attached: (text: string) => readonly Attachment[]): Json[] =>
  messages.map((message) => {
    const text = roleOf(message) === "user" ? textAt(fieldsOf(message), "content") : null;
    const pieces = text === null ? [] : attached(text);
    return pieces.length === 0 ? message : { role: "user", content: [{ type: "text", text }, ...pieces.map(part)] };
  });

function part({ type, mimeType, data }: Attachment): Json {
  const base64 = data.toString("base64");
  switch (type) {
    case "image":
      return { type: "image_url", image_url: { url: `data:${mimeType};base64,${base64}` } };
    case "audio":
      return { type: "input_audio", input_audio: { data: base64, format: FORMATS[mimeType] ?? mimeType.slice(6) } };
    default:
      return type satisfies never;
  }
}
/** What a kind is called there, where that is not the second half of its name. */
const FORMATS: { readonly [mimeType: string]: string } = {
  "audio/mpeg": "mp3",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
};

/** A server's own words for what is wrong: `{error: {message}}`, `{error: "…"}`, `{message}`, `{detail}`; Google's in a list. */
export function errorWords(value: Json | null): string | null {
  const body = fieldsOf((Array.isArray(value) ? value[0] : value) ?? undefined);
  const said = textAt(fieldsAt(body, "error"), "message") ?? textAt(body, "error") ?? textAt(body, "message");
  if (said !== null) return said;
  const detail = own(body, "detail") ?? own(body, "message");
  return detail == null ? null : typeof detail === "string" ? detail : JSON.stringify(detail);
}
