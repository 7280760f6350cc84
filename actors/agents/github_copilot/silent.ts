/**
 * Events of the `copilot` program that are of no use to a reader: their content comes another way, or is about itself.
 */
export const SILENT: ReadonlySet<string> = new Set([
  ...["session.start", "session.resume", "session.idle", "session.usage_info", "session.title_changed"],
  ...["session.skills_loaded", "session.tools_updated", "session.background_tasks_changed", "session.model_change"],
  ...["session.mcp_servers_loaded", "session.mcp_server_status_changed", "session.mcp_server_tools_loaded"],
  ...["session.mode_changed", "session.plan_changed", "session.context_changed", "session.truncation"],
  ...["session.compaction_start", "session.shutdown", "session.custom_agents_updated", "session.snapshot_rewind"],
  ...["model.call_start", "model.call_finished", "model.call_final_result"],
  ...["user.message", "system.message", "system.notification", "pending_messages.modified"],
  ...["assistant.turn_start", "assistant.turn_end", "assistant.idle", "assistant.message_start", "assistant.usage"],
  ...["assistant.intent", "assistant.streaming_delta", "tool.user_requested", "tool.execution_progress"],
  ...["agent.interrupted", "skill.invoked", "hook.start", "hook.end", "permission.requested", "permission.completed"],
  ...["subagent.started", "subagent.completed", "subagent.failed", "subagent.selected", "subagent.deselected"],
]);
