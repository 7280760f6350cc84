/**
 * Questions of an ACP agent, asked by the one way that all agents ask by.
 *
 * I1. Who decides sees the structured fields of the call; the agent's title is its own words.
 * I2. A call that only its question names is shown from the question, and so is its refusal.
 * I3. The answer is an offered option of the kind that was decided, never another; none fits means `cancelled`.
 * I4. What was allowed is remembered for the turn, so that the file or the command of that very call is not asked for
 *     once more when the agent comes to us with it. An edit that was shown covers what it makes of the file as that is
 *     now, and nothing else.
 * I5. A diff in a question stays one: it is shown as an edit, and not again among the input. An edit that the input states
 *     is one too (`stated-edits.ts`).
 */
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { FileEdit } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import { fitting } from "../../acp-client/permissions.ts";
import { fieldsOf, textAt } from "../../base/json.ts";
import type { AgentEvent, AgentRequest, ToolQuestion } from "../agent.ts";
import { statedEdits } from "./stated-edits.ts";
import type { UpdateReader } from "./updates.ts";

export class Granted {
  readonly #paths = new Set<string>();
  readonly #edits: FileEdit[] = [];
  readonly #commands = new Set<string>();

  note({ kind, input, edits = [], locations = [] }: ToolQuestion): void {
    this.#edits.push(...edits);
    if (kind === "edit" || kind === "delete" || kind === "move") {
      const shown = new Set(edits.map(({ path }) => path));
      for (const { path } of locations) if (!shown.has(path)) this.#paths.add(path);
    }
    const command = textAt(fieldsOf(input), "command");
    if (kind === "execute" && command !== null) this.#commands.add(command.trim());
  }
  /** A file that was named in an edit: it may be read. What would be written was not seen. */
  file(path: string): boolean {
    return this.#paths.has(path);
  }
  /** Whether the edits that were shown of a file make this of it: as a whole, or piece by piece. */
  edit({ path, oldText, newText }: FileEdit): boolean {
    const shown = this.#edits.filter((one) => one.path === path);
    if (shown.some((one) => one.newText === newText && one.oldText === oldText)) return true;
    let text = oldText ?? "";
    for (const piece of shown) {
      // A piece that stands there more than once, or nowhere, is another edit than the one that was seen.
      const parts = piece.oldText === null || piece.oldText === "" ? [] : text.split(piece.oldText);
      if (parts.length === 2) text = parts.join(piece.newText);
    }
    return shown.length > 0 && text === newText;
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
  const diffs = (toolCall.content ?? []).flatMap((one) =>
    one.type === "diff" ? [{ path: one.path, oldText: one.oldText ?? null, newText: one.newText }] : [],
  );
  const edits = diffs.length > 0 ? diffs : statedEdits(known.kind, known.input);
  const content = (toolCall.content ?? []).filter(({ type }) => type !== "diff") as unknown as Json[];
  const question: ToolQuestion = {
    name: known.name ?? known.kind ?? "a tool",
    kind: known.kind ?? "other",
    // An agent that gives no input shows what it will do.
    input: known.input ?? (content.length === 0 && diffs.length > 0 ? {} : { content }),
    ...(edits.length === 0 ? {} : { edits }),
    ...(known.title === undefined ? {} : { title: known.title }),
    ...(known.locations === undefined ? {} : { locations: known.locations }),
  };
  const answer = await ask(question, signal);
  if (!answer.allowed) {
    reader.refused(toolCall.toolCallId, answer.message);
    return answer.abort ? null : fitting(options, "deny");
  }
  const chosen = fitting(options, "allow");
  if (chosen !== null) granted.note(question);
  return chosen;
}
