/**
 * A request as the command line, the environment and the input of the `opencode` program.
 *
 * I1. Each value is in one argument with its flag (`--model=…`): no value is taken for a flag, none for a second value.
 * I2. Prompts and secrets are not in the arguments: the prompt goes through standard input, the rest through the
 *     configuration in the environment.
 * I3. A repository does not configure the program: it may not bring plugins, servers or commands. Only the user's
 *     environment can allow it, not a workflow.
 */
import type { AgentRequest } from "../agent.ts";
import { configuredEnvironment } from "../configured.ts";
import { checkedOptions, isOn, wrongOption } from "../options.ts";
import type { Invocation } from "../program.ts";
import { attachedFiles, type Scratch } from "../scratch.ts";
import { CONFIG_VARIABLE, configText, type Extra } from "./config.ts";
import { OPTIONS, type OpencodeOptions } from "./options.ts";

const PROJECT_VARIABLE = "OPENCODE_DISABLE_PROJECT_CONFIG";
/** Variables that would undo what is set here. */
const RESERVED = [CONFIG_VARIABLE, PROJECT_VARIABLE, "OPENCODE_PERMISSION", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"];

const FLAGS: readonly (readonly [keyof OpencodeOptions, string])[] = [
  ["model", "--model"],
  ["agent", "--agent"],
  ["variant", "--variant"],
];
/** A fixed title: without one the program asks a model for it, in a request of its own. */
const BASE = [
  ...["opencode", "run", "--format=json", "--thinking", "--title=Troupe"],
  ...["--print-logs", "--log-level=INFO"],
] as const;

type OpencodeRequest = Pick<
  AgentRequest,
  "prompt" | "attached" | "systemPrompt" | "options" | "env" | "cwd" | "mcpServers" | "ownTools"
>;

export const optionsOf = (request: Pick<AgentRequest, "options">): OpencodeOptions =>
  checkedOptions("opencode", OPTIONS, request.options);

/** `session`: the one to continue, or null. Throws a `TroupeError` for an option that is wrong. */
export function invocationOf(request: OpencodeRequest, session: string | null, scratch: Scratch): Invocation {
  const options = optionsOf(request);
  const env = configuredEnvironment(request.options);
  const reserved = RESERVED.find((name) => Object.hasOwn(env, name));
  if (reserved !== undefined) {
    throw wrongOption(`env.${reserved}`, "a workflow may not set this variable; use the other options of the step");
  }
  const argv: [string, ...string[]] = [...BASE];
  for (const [name, flag] of FLAGS) if (options[name] !== undefined) argv.push(`${flag}=${options[name]}`);
  if (isOn(options.dangerously_skip_permissions)) argv.push("--auto");
  if (session !== null) argv.push(`--session=${session}`);
  for (const path of attachedFiles(request, scratch)) argv.push(`--file=${path}`);
  const { cwd, mcpServers, ownTools } = request;
  const extra = { systemPrompt: systemPromptOf(request, options, scratch), cwd, mcpServers, ownTools };
  return {
    argv,
    env: {
      [PROJECT_VARIABLE]: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      ...request.env,
      ...env,
      [CONFIG_VARIABLE]: configText(request.env[CONFIG_VARIABLE], options, extra),
    },
    input: request.prompt,
  };
}

function systemPromptOf(
  { systemPrompt }: OpencodeRequest,
  options: OpencodeOptions,
  scratch: Scratch,
): Extra["systemPrompt"] {
  if (systemPrompt === null) return null;
  if (options.system_prompt_mode === "replace") return { text: systemPrompt };
  return { file: scratch.file("system-prompt.md", systemPrompt) };
}
