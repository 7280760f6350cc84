/**
 * The home of one run of `vibe`: all that is in the user's own but the list of trusted folders, with the system prompt
 * among the words for agents or in the place of the program's own.
 *
 * I1. No folder is trusted there: a repository does not configure the program, see `arguments.ts`.
 */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentRequest } from "../agent.ts";
import { linkedFolder } from "../linked.ts";
import type { Scratch } from "../scratch.ts";
import { optionsOf } from "./arguments.ts";

type VibeHomeRequest = Pick<AgentRequest, "systemPrompt" | "options" | "env">;
export type Home = { env: { [name: string]: string }; giveBack: () => void };

const WORDS = "AGENTS.md";
/** `vibehistory` holds what a person typed; it is made by the program itself. */
const LEFT = ["trusted_folders.toml", "vibehistory"];
const PROMPT = "troupe";

export function homeOf(request: VibeHomeRequest, scratch: Scratch): Home {
  const theirs = request.env["VIBE_HOME"] || join(request.env["HOME"] || homedir(), ".vibe");
  const { systemPrompt } = request;
  const replaces = systemPrompt !== null && optionsOf(request).system_prompt_mode === "replace";
  const env: Home["env"] = { VIBE_HOME: scratch.path("home") };
  const written: { [name: string]: string } = {};
  const left = [...LEFT];
  if (replaces) {
    written[join("prompts", `${PROMPT}.md`)] = systemPrompt;
    left.push("prompts");
    env["VIBE_SYSTEM_PROMPT_ID"] = PROMPT;
  } else if (systemPrompt !== null) {
    const file = join(theirs, WORDS);
    written[WORDS] = existsSync(file) ? `${readFileSync(file, "utf8")}\n\n${systemPrompt}` : systemPrompt;
  }
  return { env, giveBack: linkedFolder({ theirs, ours: "home", kept: ["logs"], written, left }, scratch) };
}
