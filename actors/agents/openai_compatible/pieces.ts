/** The pieces of an answer in the forms that servers give them. */
import { type Json, own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, fieldsOf, isFields, listAt, textAt } from "../../base/json.ts";
import type { AgentErrorClass } from "../agent.ts";
import { classOfStatus, NO_CREDIT } from "../status.ts";
import { errorWords } from "./messages.ts";

export type Part = { type: "text" | "thought"; text: string } | { type: "unknown"; value: Json };
export type ApiFault = { message: string; class: AgentErrorClass };

/** A text that says something; servers send empty ones where others send nothing. */
export const wordAt = (from: Fields, name: string): string | null => textAt(from, name) || null;

/** The words of a piece, thoughts first. Servers that give a thought under two names mean the same one. */
export function partsOf(delta: Fields): Part[] {
  const thought = wordAt(delta, "reasoning_content") ?? wordAt(delta, "reasoning") ?? wordAt(delta, "thinking");
  const content = own(delta, "content");
  return [...said("thought", thought), ...(Array.isArray(content) ? content.flatMap(partOf) : contentOf(content))];
}

const said = (type: "text" | "thought", text: string | null): Part[] => (text === null ? [] : [{ type, text }]);

function contentOf(content: Json | undefined): Part[] {
  if (content === undefined || content === null || content === "") return [];
  return typeof content === "string" ? said("text", content) : [{ type: "unknown", value: content }];
}

/** One part of a content that is a list, as of servers that put thoughts beside the text. */
function partOf(part: Json): Part[] {
  if (typeof part === "string") return contentOf(part);
  const fields = fieldsOf(part);
  switch (textAt(fields, "type")) {
    case "text":
    case "output_text":
      return said("text", wordAt(fields, "text"));
    case "thinking": {
      const nested = listAt(fields, "thinking").flatMap((one) => said("thought", wordAt(fieldsOf(one), "text")));
      return [...said("thought", wordAt(fields, "thinking")), ...nested];
    }
    default:
      return [{ type: "unknown", value: part }];
  }
}

/** The arguments of a call: a piece of JSON text, or from some servers the object itself. */
export function argumentsOf(fn: Fields): string {
  const value = own(fn, "arguments");
  return typeof value === "string" ? value : isFields(value) ? JSON.stringify(value) : "";
}

const CLASSES: readonly (readonly [RegExp, AgentErrorClass])[] = [
  [NO_CREDIT, "no_credit"],
  [/rate.?limit|quota|too.many.requests/i, "rate_limit"],
  [/overloaded|unavailable|capacity/i, "overloaded"],
  [/authentication|permission|api.?key|unauthori[sz]ed/i, "auth"],
  [/invalid.?request|bad.?request|context.?length|not.?found|content.?filter/i, "refused"],
];

/** What a server says in the middle of an answer that went wrong; null where the piece is none of that. */
export function faultOf(chunk: Fields, event: string | undefined): ApiFault | null {
  const error = own(chunk, "error");
  const isNested = isFields(error) || (typeof error === "string" && error !== "");
  if (!isNested && event !== "error" && textAt(chunk, "object") !== "error") return null;
  const inner = isFields(error) ? error : chunk;
  const message = errorWords({ ...chunk }) ?? wordAt(fieldsAt(chunk, "data"), "message") ?? "the server sent an error";
  const status = ["code", "status", "status_code"].map((name) => Number(own(inner, name) ?? Number.NaN));
  const known = status.find((one) => one >= 400 && one < 600);
  if (known !== undefined) return { message, class: classOfStatus(known) };
  const words = `${textAt(inner, "type") ?? ""} ${textAt(inner, "code") ?? ""}`;
  return { message, class: CLASSES.find(([pattern]) => pattern.test(words))?.[1] ?? "network" };
}
