/**
 * One call that the model made: its words read, the permission asked for, the tool used, all of it reported.
 *
 * I1. Whatever comes of it, the call is reported to its end and the model gets a result.
 * I2. It is asked about once: by us, or by a tool of Troupe's own, which reports the call as well.
 */
import type { Json } from "../../../machines/model.ts";
import type { AgentRequest, ToolEvent } from "../agent.ts";
import type { OfferedTool } from "../toolbox.ts";
import { argumentsIn, tool as resultMessage, type ToolCall } from "./messages.ts";
import type { Posting } from "./post.ts";

/** Of arguments that cannot be read, in UTF-16 units. */
const MOST_REPEATED = 1_000;

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
  const input = argumentsIn(call.arguments);
  const given = { title: tool.title, kind: tool.kind, input: input ?? call.arguments };
  if (input === null) {
    show({ ...given, status: "in_progress" });
    // The model does not get its call back as it wrote it.
    return end(false, `The arguments are no JSON object: ${call.arguments.slice(0, MOST_REPEATED).toWellFormed()}`);
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
