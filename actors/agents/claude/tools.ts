/** What a tool of Claude Code is to a reader: its kind, a title and the places it touches. */
import { resolve } from "node:path";
import type { Location, ToolKind } from "../../../machines/exchange.ts";
import { own } from "../../../machines/model.ts";
import { type Fields, numberAt, textAt } from "../../base/json.ts";
import type { ToolEvent } from "../agent.ts";
import { shortened } from "../titles.ts";

const KINDS: { readonly [tool: string]: ToolKind } = {
  Bash: "execute",
  PowerShell: "execute",
  Read: "read",
  NotebookRead: "read",
  TaskOutput: "read",
  BashOutput: "read",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  Glob: "search",
  Grep: "search",
  LS: "search",
  ToolSearch: "search",
  WebFetch: "fetch",
  WebSearch: "fetch",
  Task: "think",
  Agent: "think",
  TodoWrite: "think",
  TaskCreate: "think",
  TaskUpdate: "think",
  TaskGet: "think",
  TaskList: "think",
  EnterPlanMode: "switch_mode",
  ExitPlanMode: "switch_mode",
};

/** The inputs that say what a call is about, the most precise first. */
const SUBJECTS = ["file_path", "notebook_path", "pattern", "url", "query", "path", "description", "subject", "skill"];
const PATHS = ["file_path", "notebook_path", "path"];

export const kindOf = (tool: string): ToolKind => own(KINDS, tool) ?? "other";

/** What is known of a call when its input is complete. `cwd`: what relative paths are relative to. */
export function calledTool(
  tool: string,
  input: Fields,
  cwd: string,
): Required<Pick<ToolEvent, "title" | "kind">> & {
  locations?: Location[];
} {
  const locations = locationsOf(input, cwd);
  const call = { title: titleOf(tool, input), kind: kindOf(tool) };
  return locations.length === 0 ? call : { ...call, locations };
}

/** `Read /a/b.ts`, the command of a shell, `server: tool` of an MCP server. */
export function titleOf(tool: string, input: Fields): string {
  const command = kindOf(tool) === "execute" ? textAt(input, "command") : null;
  if (command !== null && command.trim() !== "") return shortened(command);
  const mcp = /^mcp__(.+?)__(.+)$/.exec(tool);
  const name = mcp === null ? tool : `${mcp[1]}: ${mcp[2]}`;
  const subject = SUBJECTS.map((field) => textAt(input, field)).find((text) => text !== null && text !== "");
  return subject == null || mcp !== null ? name : shortened(`${name} ${subject}`);
}

function locationsOf(input: Fields, cwd: string): Location[] {
  const path = PATHS.map((field) => textAt(input, field)).find((text) => text !== null && text !== "");
  if (path == null) return [];
  const line = numberAt(input, "offset");
  return [line === null || line < 1 ? { path: resolve(cwd, path) } : { path: resolve(cwd, path), line }];
}
