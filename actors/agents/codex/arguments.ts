/**
 * A request as the command line, the environment and the input of the `codex` program.
 *
 * I1. Each value is in one argument with its flag, or in a `-c` of its own: no value is taken for a flag.
 * I2. Prompts and secrets are not in the arguments, see `layer.ts`.
 * I3. The folder counts as not trusted, whatever was said before: codex then reads no configuration, hooks or servers of
 *     the repository. What it may do is said by the sandbox alone.
 * I4. Where Troupe's tools stand for its own, its own write nothing, whatever the step allows: its sandbox is read-only.
 */
import { dirname } from "node:path";
import type { AgentRequest } from "../agent.ts";
import { configuredEnvironment } from "../configured.ts";
import { checkedOptions, isOn, wrongOption } from "../options.ts";
import type { Invocation } from "../program.ts";
import { type CodexOptions, OPTIONS } from "./options.ts";
import { toml } from "./toml.ts";

type CodexRequest = Pick<
  AgentRequest,
  "prompt" | "systemPrompt" | "options" | "directories" | "env" | "cwd" | "continues" | "ownTools"
>;

/** Throws a `TroupeError` for an option that is wrong. `profile`: the name of the run's own configuration. */
export function invocationOf(
  request: CodexRequest,
  conversation: string | null,
  { profile, images, schema }: { profile: string | null; images: readonly string[]; schema?: string | null },
): Invocation {
  const options = checkedOptions("codex", OPTIONS, request.options);
  const argv: [string, ...string[]] = ["codex", "exec", "--json", "--skip-git-repo-check", "--color=never"];
  argv.push(permission(request, options));
  if (options.model !== undefined) argv.push(`--model=${options.model}`);
  for (const folder of [options.add_dirs ?? [], request.directories ?? []].flat()) argv.push(`--add-dir=${folder}`);
  if (profile !== null) argv.push(`--profile=${profile}`);
  for (const setting of settings(request, options)) argv.push(`--config=${setting}`);
  if (conversation !== null) argv.push("resume");
  if (schema) argv.push(`--output-schema=${schema}`);
  for (const path of images) argv.push(`--image=${path}`);
  if (conversation !== null) argv.push(conversation);
  argv.push("-");
  return {
    argv,
    env: { ...request.env, ...configuredEnvironment(request.options) },
    input: inputOf(request, conversation),
  };
}

function permission({ ownTools }: CodexRequest, options: CodexOptions): string {
  if (ownTools === "replaced") return "--sandbox=read-only";
  if (!isOn(options.dangerously_skip_permissions)) return `--sandbox=${options.sandbox ?? "read-only"}`;
  if (options.sandbox === undefined) return "--dangerously-bypass-approvals-and-sandbox";
  throw wrongOption("dangerously_skip_permissions", "give either this or sandbox; it stands for no sandbox at all");
}

function settings({ cwd, ownTools }: CodexRequest, options: CodexOptions): string[] {
  const given = [`projects=${toml(Object.fromEntries(foldersOf(cwd).map((path) => [path, UNTRUSTED])))}`];
  if (options.effort !== undefined) given.push(`model_reasoning_effort=${toml(String(options.effort))}`);
  if (isOn(options.network_access)) given.push("sandbox_workspace_write.network_access=true");
  const search = options.web_search ?? (ownTools === "replaced" ? "disabled" : undefined);
  if (search !== undefined) given.push(`web_search=${toml(String(search))}`);
  if (ownTools === "replaced") for (const name of OWN_TOOLS) given.push(`features.${name}=false`);
  return given;
}

/** Its features that are tools. `apply_patch` is none: the sandbox keeps that one from writing (I4). */
const OWN_TOOLS = ["shell_tool", "unified_exec", "multi_agent", "view_image", "goals"];
const UNTRUSTED = { trust_level: "untrusted" };

/** The folder and all above it: any of them may be the project's root. */
function foldersOf(cwd: string): string[] {
  const above = dirname(cwd);
  return above === cwd ? [cwd] : [cwd, ...foldersOf(above)];
}

/** A conversation that is continued keeps the instructions it began with; another step's are new to it. */
function inputOf({ prompt, systemPrompt, continues }: CodexRequest, conversation: string | null): string {
  return conversation !== null && continues && systemPrompt !== null ? `${systemPrompt}\n\n${prompt}` : prompt;
}
