/**
 * A request as the command line, the environment and the input of the `gemini` program.
 *
 * I1. Each value is in one argument with its flag: no value is taken for a flag, none for a second value.
 * I2. The prompt goes through standard input, the system prompt through a file that only the user can read.
 * I3. The folder is trusted for the run alone, after the settings were read: the program then reads no settings, hooks,
 *     servers or environment of the repository, only its words for agents.
 */
import { dirname } from "node:path";
import type { AgentRequest } from "../agent.ts";
import { configuredEnvironment } from "../configured.ts";
import { checkedOptions, isOn, wrongOption } from "../options.ts";
import type { Invocation } from "../program.ts";
import { attachedFiles, type Scratch } from "../scratch.ts";
import { type GeminiOptions, OPTIONS } from "./options.ts";

/** The system prompt is to stand in the place of the program's own; else it is added, see `home.ts`. */
export const replaces = (request: Pick<AgentRequest, "systemPrompt" | "options">): boolean =>
  request.systemPrompt !== null && optionsOf(request).system_prompt_mode === "replace";

/** A conversation that begins under a new id, or one that is continued. */
export type ConversationStart = { type: "new" | "resumed"; id: string };
type GeminiRequest = Pick<AgentRequest, "prompt" | "attached" | "systemPrompt" | "options" | "directories" | "env">;

/** Throws a `TroupeError` for an option that is wrong. */
export const optionsOf = ({ options }: Pick<AgentRequest, "options">): GeminiOptions => {
  const given = checkedOptions("gemini", OPTIONS, options);
  if (isOn(given.dangerously_skip_permissions) && given.approval_mode !== undefined) {
    throw wrongOption("dangerously_skip_permissions", "give either this or approval_mode; it stands for yolo");
  }
  return given;
};

export function invocationOf(request: GeminiRequest, opening: ConversationStart, scratch: Scratch): Invocation {
  const options = optionsOf(request);
  const argv: [string, ...string[]] = ["gemini", "--skip-trust", "--output-format=stream-json"];
  const mode = isOn(options.dangerously_skip_permissions) ? "yolo" : options.approval_mode;
  if (options.model !== undefined) argv.push(`--model=${options.model}`);
  if (mode !== undefined) argv.push(`--approval-mode=${mode}`);
  for (const tool of [options.allowed_tools ?? []].flat()) argv.push(`--allowed-tools=${tool}`);
  for (const folder of [options.add_dirs ?? [], request.directories ?? []].flat())
    argv.push(`--include-directories=${folder}`);
  if (isOn(options.sandbox)) argv.push("--sandbox");
  const files = attachedFiles(request, scratch);
  if (files.length > 0) argv.push(`--include-directories=${dirname(scratch.path("x"))}`);
  argv.push(opening.type === "new" ? `--session-id=${opening.id}` : `--resume=${opening.id}`);
  const { GEMINI_CLI_TRUST_WORKSPACE: _, ...env } = request.env;
  return {
    argv,
    env: {
      ...env,
      GEMINI_CLI_NO_RELAUNCH: "1",
      // It is not there: what was trusted before does not count (I3).
      GEMINI_CLI_TRUSTED_FOLDERS_PATH: scratch.path("trusted-folders.json"),
      // The program leaves reports there with all that was said.
      TMPDIR: dirname(scratch.path("x")),
      ...(replaces(request) ? { GEMINI_SYSTEM_MD: scratch.file("system.md", request.systemPrompt ?? "") } : {}),
      ...configuredEnvironment(request.options),
    },
    // The program reads what stands behind an @ in a prompt.
    input: [request.prompt, ...files.map((path) => `@${path}`)].join("\n"),
  };
}
