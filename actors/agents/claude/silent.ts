/** What Claude Code reports and a reader need not know: its content comes another way too, or is of the program alone. */

export const SILENT_SYSTEM: ReadonlySet<string> = new Set([
  ...["status", "thinking_tokens", "session_state_changed", "files_persisted"],
  ...["task_started", "task_progress", "task_updated", "background_tasks_changed"],
  ...["hook_started", "hook_progress", "hook_response"],
]);
export const SILENT: ReadonlySet<string> = new Set([
  ...["keep_alive", "tool_progress", "tool_use_summary", "auth_status", "prompt_suggestion"],
]);
