/** What a tool of Gemini CLI is to a reader: its kind, a title, the places it touches, and the change it made. */
import { resolve } from "node:path";
import type { Block, ToolKind } from "../../../machines/exchange.ts";
import { own } from "../../../machines/model.ts";
import { type Fields, textAt } from "../../base/json.ts";
import type { ToolEvent } from "../agent.ts";
import { shortened } from "../titles.ts";

const KINDS: { readonly [tool: string]: ToolKind } = {
  run_shell_command: "execute",
  read_file: "read",
  read_many_files: "read",
  read_background_output: "read",
  list_background_processes: "read",
  write_file: "edit",
  replace: "edit",
  glob: "search",
  grep_search: "search",
  search_file_content: "search",
  list_directory: "search",
  web_fetch: "fetch",
  google_web_search: "fetch",
  write_todos: "think",
  save_memory: "think",
  update_topic: "think",
  invoke_agent: "think",
  activate_skill: "think",
  enter_plan_mode: "switch_mode",
  exit_plan_mode: "switch_mode",
};
/** The tools that the program has itself. */
export const OWN_TOOLS: readonly string[] = Object.keys(KINDS);
/** The inputs that say what a call is about, the most precise first. */
const SUBJECTS = ["file_path", "absolute_path", "pattern", "url", "query", "prompt", "dir_path", "path", "description"];
const PATHS = ["file_path", "absolute_path", "dir_path", "path"];

/** What is known when a call begins. `servers`: the names of MCP servers that it may be of. */
export function calledTool(
  name: string,
  input: Fields,
  cwd: string,
  servers: readonly string[],
): Omit<ToolEvent, "call"> {
  const server = servers.find((one) => name.startsWith(`mcp_${one}_`));
  const call = { input: { ...input }, status: "in_progress" as const };
  if (server !== undefined) {
    return { title: `${server}: ${name.slice(`mcp_${server}_`.length)}`, kind: "other", ...call };
  }
  const path = firstText(input, PATHS);
  const locations = path === null ? {} : { locations: [{ path: resolve(cwd, path) }] };
  return { title: titleOf(name, input), kind: own(KINDS, name) ?? "other", ...call, ...locations };
}

function titleOf(name: string, input: Fields): string {
  const command = name === "run_shell_command" ? firstText(input, ["command"]) : null;
  const subject = firstText(input, SUBJECTS);
  return shortened(command ?? (subject === null ? name : `${name} ${subject}`));
}

/** The change that a call asks for. `before`: the file's text as the call began, where it is known. */
export function changeOf(name: string, input: Fields, cwd: string, before: string | null): Block | null {
  const file = textAt(input, "file_path");
  if (file === null) return null;
  const path = resolve(cwd, file);
  if (name === "replace") {
    const from = textAt(input, "old_string");
    const to = textAt(input, "new_string");
    return from === null || to === null
      ? null
      : { type: "diff", path, oldText: from === "" ? null : from, newText: to };
  }
  const newText = name === "write_file" ? textAt(input, "content") : null;
  // Who reads the text that was just written came too late to know the one before.
  return newText === null ? null : { type: "diff", path, oldText: before === newText ? null : before, newText };
}

function firstText(input: Fields, names: readonly string[]): string | null {
  return names.map((name) => textAt(input, name)).find((text) => text !== null && text.trim() !== "") ?? null;
}
