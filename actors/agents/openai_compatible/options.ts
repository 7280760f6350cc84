/**
 * What a workflow may say in `options:` of an `openai_compatible` step, and where the rest comes from.
 *
 * I1. The key of the environment goes only to the address of the environment: a workflow that names another address
 *     names its key too, as a template.
 */
import type { Json } from "../../../machines/model.ts";
import type { OptionTable } from "../../../machines/workflow/option-table.ts";
import { fieldsOf } from "../../base/json.ts";
import { checkedOptions, isOn, MAP, TEXT, wrongOption } from "../options.ts";

export const OPTIONS = {
  model: TEXT,
  base_url: TEXT,
  api_key: TEXT,
  headers: MAP,
  temperature: { type: "number", whole: false, from: 0, to: 2 },
  top_p: { type: "number", whole: false, from: 0, to: 1 },
  max_completion_tokens: { type: "number", whole: true },
  max_tokens: { type: "number", whole: true },
  reasoning_effort: TEXT,
  max_rounds: { type: "number", whole: true, from: 1, to: 1000 },
  max_retries: { type: "number", whole: true, from: 0, to: 100 },
  structured_output: { type: "flag" },
  idle_seconds: { type: "number", whole: false },
} as const satisfies OptionTable;

const DEFAULT_URL = "https://api.openai.com/v1";

export type Settings = {
  url: string;
  headers: { [name: string]: string };
  /** True where a key is sent. */
  hasKey: boolean;
  /** The body but for its messages and tools. */
  body: { [name: string]: Json };
  /** The schema of an answer is sent along; a server that does not take one gets it only in words. */
  structured: boolean;
  maxRounds: number;
  maxRetries: number;
  idleMs: number;
};

type RawOptions = { readonly [name: string]: Json };

/** Throws a `TroupeError` that names the field. */
export function settingsOf(given: RawOptions, env: { readonly [name: string]: string }): Settings {
  const options = checkedOptions("openai_compatible", OPTIONS, given);
  const model = options.model ?? env["OPENAI_MODEL"];
  if (typeof model !== "string" || model === "") throw wrongOption("model", "expected a text; or set OPENAI_MODEL");
  const usersUrl = env["OPENAI_BASE_URL"] || DEFAULT_URL;
  const base = checkedUrl(String(options.base_url ?? usersUrl));
  const isUsers = base === checkedUrl(usersUrl);
  const key = checkedKey(options.api_key ?? (isUsers ? env["OPENAI_API_KEY"] : undefined));
  const number = (name: keyof typeof OPTIONS, otherwise: number): number => Number(options[name] ?? otherwise);
  const body: { [name: string]: Json } = { model, stream: true, stream_options: { include_usage: true } };
  for (const name of ["temperature", "top_p", "max_completion_tokens"] as const) {
    if (options[name] !== undefined) body[name] = Number(options[name]);
  }
  // The older name; servers that know only it take both.
  if (options.max_tokens !== undefined) body["max_completion_tokens"] ??= Number(options.max_tokens);
  if (options.reasoning_effort !== undefined) body["reasoning_effort"] = options.reasoning_effort;
  return {
    url: base.replace(/(?=\?|$)/, "/chat/completions"), // a query stays behind the path
    headers: {
      ...headersOf(options.headers),
      ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
    },
    hasKey: key !== "",
    body,
    structured: isOn(options.structured_output ?? true),
    maxRounds: number("max_rounds", 25),
    maxRetries: number("max_retries", 3),
    idleMs: number("idle_seconds", 300) * 1000,
  };
}

/** The address without slashes at the end of its path. Throws a `TroupeError` where it is none of HTTP, or names a user. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw wrongOption("base_url", `expected an address such as ${DEFAULT_URL}, found "${text}"`);
  }
  if (url.username !== "" || url.password !== "") throw wrongOption("base_url", "expected no user or password in it");
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/.exec(text.trim()) ?? [];
  return path.replace(/\/+$/, "") + query;
}

/** What a header can carry. */
const CARRIED = /^[\t -~\u0080-\u00ff]*$/;

/** Without the white space around it; empty where there is none. What is wrong is said without the key. */
function checkedKey(given: Json | undefined): string {
  const key = typeof given === "string" ? given.trim() : "";
  if (CARRIED.test(key)) return key;
  const plain = "expected a key that a header can carry, on one line and of plain characters";
  throw wrongOption("api_key", `${plain}; where the step gives none it is OPENAI_API_KEY`);
}

function headersOf(value: Json | undefined): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([name, text]) => {
      const isName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
      if (!isName || typeof text !== "string" || !CARRIED.test(text)) {
        throw wrongOption(`headers.${name}`, "expected the name and the value of a header");
      }
      return [name.toLowerCase(), text];
    }),
  );
}
