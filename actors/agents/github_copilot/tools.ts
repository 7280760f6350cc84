/** What a tool of Copilot is to a reader: its kind, a title, the places it touches, its end. */
import { resolve } from "node:path";
import type { Block, Location, ToolKind } from "../../../machines/exchange.ts";
import { own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, listAt, numberAt, textAt } from "../../base/json.ts";
import type { ToolEvent } from "../agent.ts";
import { patched } from "../patch.ts";
import { shortened } from "../titles.ts";

type Diff = Extract<Block, { type: "diff" }>;

const KINDS: { readonly [tool: string]: ToolKind } = {
  bash: "execute",
  powershell: "execute",
  write_bash: "execute",
  read_bash: "read",
  list_bash: "read",
  stop_bash: "execute",
  view: "read",
  create: "edit",
  edit: "edit",
  str_replace: "edit",
  insert: "edit",
  apply_patch: "edit",
  glob: "search",
  grep: "search",
  rg: "search",
  web_fetch: "fetch",
  web_search: "fetch",
  fetch_copilot_cli_documentation: "fetch",
  task: "think",
  read_agent: "think",
  list_agents: "think",
  write_agent: "think",
  report_intent: "think",
  update_todo: "think",
  skill: "read",
};
/** The tools that the program has itself. */
export const OWN_TOOLS: readonly string[] = Object.keys(KINDS);
const SUBJECTS = ["path", "pattern", "query", "url", "description", "intent", "skill"];
/** What the program puts below a command's output. */
const TRAILER = /\n?<shellId: \S+ completed with exit code -?\d+>\s*$/;

export const kindOf = (tool: string): ToolKind => own(KINDS, tool) ?? "other";

/** A call that begins, from the data of `tool.execution_start`. */
export function toolStart(data: Fields, cwd: string): ToolEvent | null {
  const call = textAt(data, "toolCallId");
  const tool = textAt(data, "toolName");
  if (call === null || tool === null) return null;
  const given = own(data, "arguments");
  const input = fieldsAt(data, "arguments");
  const server = textAt(data, "mcpServerName");
  const title = server === null ? titleOf(tool, input) : `${server}: ${textAt(data, "mcpToolName") ?? tool}`;
  const event: ToolEvent = { call, title, kind: server === null ? kindOf(tool) : "other", status: "in_progress" };
  if (given !== undefined) event.input = given;
  const path = textAt(input, "path");
  if (server === null && path !== null && path !== "") event.locations = [locationOf(resolve(cwd, path), input)];
  return event;
}

function titleOf(tool: string, input: Fields): string {
  const command = kindOf(tool) === "execute" ? textAt(input, "command") : null;
  if (command !== null && command.trim() !== "") return shortened(command);
  const subject = SUBJECTS.map((field) => textAt(input, field)).find((text) => text !== null && text !== "");
  return subject == null ? tool : shortened(`${tool} ${subject}`);
}

function locationOf(path: string, input: Fields): Location {
  const [from] = listAt(input, "view_range");
  return typeof from === "number" && from > 0 ? { path, line: from } : { path };
}

/** A call that has ended, from the data of `tool.execution_complete`. */
export function toolEnd(data: Fields): ToolEvent | null {
  const call = textAt(data, "toolCallId");
  if (call === null) return null;
  const exit = numberAt(fieldsAt(data, "shellExecution"), "exitCode");
  const failed = own(data, "success") !== true || (exit !== null && exit !== 0);
  const result = fieldsAt(data, "result");
  // Its patches have absolute paths, without their first slash.
  const diffs = failed ? [] : patched(textAt(result, "detailedContent") ?? "", "/").map(trimmed);
  const text = textAt(result, "content") ?? textAt(fieldsAt(data, "error"), "message") ?? "";
  const content = diffs.length > 0 ? diffs : textBlocks(text.replace(TRAILER, "").replace(/\n$/, ""));
  const event: ToolEvent = { call, status: failed ? "failed" : "completed" };
  return content.length === 0 ? event : { ...event, content };
}

export const isDenied = (data: Fields): boolean => textAt(fieldsAt(data, "error"), "code") === "denied";

/** Its patches count what is behind a file's last newline as one more line. */
function trimmed(diff: Diff): Diff {
  if (diff.oldText?.endsWith("\n\n") !== true || !diff.newText.endsWith("\n\n")) return diff;
  return { ...diff, oldText: diff.oldText.slice(0, -1), newText: diff.newText.slice(0, -1) };
}

const textBlocks = (text: string): Block[] => (text === "" ? [] : [{ type: "text", text }]);
