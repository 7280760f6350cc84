/**
 * Questions of an ACP agent, asked by the one way that all agents ask by.
 *
 * I1. Who decides sees the structured fields of the call; the agent's title is its own words.
 * I2. A call that only its question names is shown from the question, and so is its refusal.
 * I3. The answer is an offered option of the kind that was decided, never another; none fits means `cancelled`.
 * I4. What was allowed is remembered for the turn, so that the file or the command of that very call is not asked for
 *     once more when the agent comes to us with it.
 */
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { Json } from "../../../machines/model.ts";
import { fitting } from "../../acp-client/permissions.ts";
import { fieldsOf, textAt } from "../../base/json.ts";
import type { AgentEvent, AgentRequest, ToolQuestion } from "../agent.ts";
import type { UpdateReader } from "./updates.ts";

export class Granted {
  readonly #paths = new Set<string>();
  readonly #commands = new Set<string>();

  note({ kind, input, locations }: ToolQuestion, diffs: readonly string[]): void {
    if (kind === "edit" || kind === "delete" || kind === "move") {
      for (const path of [...diffs, ...(locations ?? []).map((one) => one.path)]) this.#paths.add(path);
    }
    const command = textAt(fieldsOf(input), "command");
    if (kind === "execute" && command !== null) this.#commands.add(command.trim());
  }
  file(path: string): boolean {
    return this.#paths.has(path);
  }
  /** A command as it is, or as the text that a shell was given. */
  command(argv: readonly string[]): boolean {
    return this.#commands.has(argv.join(" ").trim()) || this.#commands.has((argv.at(-1) ?? "").trim());
  }
}

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
  const content = (toolCall.content ?? []) as unknown as Json;
  const question: ToolQuestion = {
    name: known.name ?? known.kind ?? "a tool",
    kind: known.kind ?? "other",
    // An agent that gives no input shows what it will do.
    input: known.input ?? { content },
    ...(known.title === undefined ? {} : { title: known.title }),
    ...(known.locations === undefined ? {} : { locations: known.locations }),
  };
  const answer = await ask(question, signal);
  if (!answer.allowed) {
    reader.refused(toolCall.toolCallId, answer.message);
    return answer.abort ? null : fitting(options, "deny");
  }
  const chosen = fitting(options, "allow");
  const diffs = (toolCall.content ?? []).flatMap((one) => (one.type === "diff" ? [one.path] : []));
  if (chosen !== null) granted.note(question, diffs);
  return chosen;
}
