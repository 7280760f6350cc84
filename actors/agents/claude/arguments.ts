/**
 * A request as the command line, the environment and the input of the `claude` program.
 *
 * I1. Each value is in one argument with its flag (`--model=…`): no value is taken for a flag, none for a second value.
 * I2. Prompts and secrets are not in the arguments: both prompts go through standard input, see `mcp.ts` for the rest.
 */
import type { Json } from "../../../machines/model.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { AgentRequest } from "../agent.ts";
import { configuredEnvironment } from "../configured.ts";
import { fieldsOf } from "../json.ts";
import { mcpConfig } from "./mcp.ts";
import { checkedOptions, type OptionName, type Options } from "./options.ts";

/** A conversation that begins under a new id, or one that goes on. */
export type Opening = { type: "new" | "resumed"; id: string };
export type Call = {
  argv: readonly [string, ...string[]];
  env: { [name: string]: string };
  /** Lines for standard input. */
  input: string;
};

const BASE = [
  "claude",
  "-p",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--verbose",
  "--include-partial-messages",
] as const;

const FLAGS: readonly (readonly [OptionName, string])[] = [
  ["model", "--model"],
  ["fallback_model", "--fallback-model"],
  ["effort", "--effort"],
  ["permission_mode", "--permission-mode"],
  ["tools", "--tools"],
  ["allowed_tools", "--allowedTools"],
  ["disallowed_tools", "--disallowedTools"],
  ["setting_sources", "--setting-sources"],
  ["max_turns", "--max-turns"],
  ["max_budget_usd", "--max-budget-usd"],
];

type Request = Pick<AgentRequest, "prompt" | "systemPrompt" | "options" | "env">;

/** Throws a `TroupeError` for an option that is wrong. */
export function callOf(request: Request, opening: Opening): Call {
  const options = checkedOptions(request.options);
  const mcp = options.mcp_servers === undefined ? null : mcpConfig(fieldsOf(options.mcp_servers));
  const argv: [string, ...string[]] = [...BASE];
  for (const [name, flag] of FLAGS) {
    const value = options[name];
    if (value !== undefined) argv.push(`${flag}=${joined(value)}`);
  }
  if (skipsPermissions(options)) argv.push("--permission-mode=bypassPermissions");
  for (const folder of [options.add_dirs ?? []].flat()) argv.push(`--add-dir=${folder}`);
  if (mcp !== null) argv.push(`--mcp-config=${mcp.json}`);
  if (isOn(options.strict_mcp_config ?? mcp !== null)) argv.push("--strict-mcp-config");
  argv.push(opening.type === "new" ? `--session-id=${opening.id}` : `--resume=${opening.id}`);
  return {
    argv,
    env: { ...request.env, ...configuredEnvironment(request.options), ...mcp?.env },
    input: inputOf(request, options),
  };
}

const joined = (value: Json): string => (Array.isArray(value) ? value.join(",") : String(value));
const isOn = (value: Json): boolean => value === true || value === "true";

function skipsPermissions(options: Options): boolean {
  if (!isOn(options.dangerously_skip_permissions ?? false)) return false;
  if (options.permission_mode === undefined) return true;
  const message =
    "options.dangerously_skip_permissions: give either this or permission_mode; it stands for bypassPermissions";
  throw new TroupeError("USER.AGENT.INVALID_OPTION", message, { option: "dangerously_skip_permissions" });
}

/** The request that sets the system prompt, where there is one, and the prompt. */
function inputOf({ prompt, systemPrompt }: Request, options: Options): string {
  const messages: Json[] = [];
  if (systemPrompt !== null) {
    const name = options.system_prompt_mode === "replace" ? "systemPrompt" : "appendSystemPrompt";
    const request = { subtype: "initialize", [name]: systemPrompt };
    messages.push({ type: "control_request", request_id: "initialize", request });
  }
  messages.push({ type: "user", message: { role: "user", content: prompt } });
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}
