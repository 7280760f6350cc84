/**
 * One call that the model made: its words read, the permission asked for, the tool used, all of it reported.
 *
 * I1. Whatever comes of it, the call is reported to its end and the model gets a result.
 * I2. It is asked about once: by us, or by a tool of Troupe's own, which reports the call as well.
 */
import type { Json } from "../../../machines/model.ts";
import { isFields } from "../../base/json.ts";
import type { AgentRequest, ToolEvent } from "../agent.ts";
import { toldJson } from "../told-json.ts";
import type { OfferedTool } from "../toolbox.ts";
import { tool as resultMessage, type ToolCall } from "./messages.ts";
import type { Posting } from "./post.ts";

/** `abort`: the agent is to stop. */
type Used = { message: Json; abort: boolean };

export async function useTool(
  call: ToolCall,
  tools: readonly OfferedTool[],
  request: Pick<AgentRequest, "ask">,
  { emit, signal }: Pick<Posting, "emit" | "signal">,
): Promise<Used> {
  const show = (event: Omit<ToolEvent, "call">): void => emit({ type: "tool", tool: { call: call.id, ...event } });
  const end = (ok: boolean, text: string, abort = false): Used => {
    show({ status: ok ? "completed" : "failed", ...(text === "" ? {} : { content: [{ type: "text", text }] }) });
    return { message: resultMessage(call.id, text), abort };
  };
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return end(false, `There is no tool "${call.name}".`);
  const input = call.arguments.trim() === "" ? {} : toldJson(call.arguments);
  const given = { title: tool.title, kind: tool.kind, input: input ?? call.arguments };
  if (input === null || !isFields(input)) {
    show({ ...given, status: "in_progress" });
    return end(false, "The arguments are no JSON object.");
  }
  if (tool.type === "own") {
    const { text } = await tool.call(input, signal, call.id);
    return { message: resultMessage(call.id, text), abort: false };
  }
  const answer = await request.ask({ name: tool.name, kind: tool.kind, input, title: tool.title });
  show({ ...given, status: "in_progress" });
  if (!answer.allowed) return end(false, answer.message, answer.abort);
  try {
    const { ok, text } = await tool.call(input, signal, call.id);
    return end(ok, text);
  } catch (error) {
    return end(false, error instanceof Error ? error.message : String(error));
  }
}
