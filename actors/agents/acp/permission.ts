/**
 * Questions of an ACP agent, asked by the one way that all agents ask by.
 *
 * I1. Who decides sees the structured fields of the call; the agent's title is its own words.
 * I2. A call that only its question names is shown from the question, and so is its refusal.
 * I3. The answer is an offered option of the kind that was decided, never another; none fits means `cancelled`. Where
 *     no option allows it once, a yes would have no answer: it is refused in words, and nobody is asked.
 * I4. What was allowed is remembered for the turn (`granted.ts`).
 * I5. A diff in a question stays one: it is shown as an edit, and not again among the input. An edit that the input states
 *     is one too (`stated-edits.ts`).
 */
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { Json } from "../../../machines/model.ts";
import { fitting } from "../../acp-client/permissions.ts";
import type { AgentEvent, AgentRequest, ToolQuestion } from "../agent.ts";
import type { Granted } from "./granted.ts";
import { statedEdits } from "./stated-edits.ts";
import type { UpdateReader } from "./updates.ts";

type PermissionTurn = {
  ask: AgentRequest["ask"];
  emit: (event: AgentEvent) => void;
  reader: UpdateReader;
  granted: Granted;
};

/** The id of the chosen option, or null. */
export async function permission(
  { toolCall, options }: RequestPermissionRequest,
  { ask, emit, reader, granted }: PermissionTurn,
  signal: AbortSignal,
): Promise<string | null> {
  for (const event of reader.asked(toolCall)) emit(event);
  const known = reader.call(toolCall.toolCallId);
  const diffs = (toolCall.content ?? []).flatMap((one) =>
    one.type === "diff" ? [{ path: one.path, oldText: one.oldText ?? null, newText: one.newText }] : [],
  );
  const edits = diffs.length > 0 ? diffs : statedEdits(known.kind, known.input);
  const content = (toolCall.content ?? []).filter(({ type }) => type !== "diff") as unknown as Json[];
  const question: ToolQuestion = {
    name: known.name ?? known.kind ?? "a tool",
    kind: known.kind ?? "other",
    // An agent that gives no input shows what it will do.
    input: known.input ?? (content.length === 0 ? {} : { content }),
    ...(edits.length === 0 ? {} : { edits }),
    ...(known.title === undefined ? {} : { title: known.title }),
    ...(known.locations === undefined ? {} : { locations: known.locations }),
  };
  const chosen = fitting(options, "allow");
  if (chosen === null) {
    const message = `the agent offers no way to allow ${question.name} once: it was refused, and nobody was asked`;
    emit({ type: "notice", severity: "warning", message });
    reader.refused(toolCall.toolCallId, message);
    return fitting(options, "deny");
  }
  const answer = await ask(question, signal);
  if (!answer.allowed) {
    reader.refused(toolCall.toolCallId, answer.message);
    return answer.abort ? null : fitting(options, "deny");
  }
  granted.note(question);
  return chosen;
}
