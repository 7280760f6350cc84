/** A question of the log, asked of the client. */
import { type AgentContext, methods, type RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { Session } from "../../actors/troupe.ts";
import type { Question } from "../../projections/acp/view.ts";
import type { Ask } from "./watch.ts";

/**
 * Asks the client and hands the answer to the session. A client that cancels, fails or has gone answers nothing:
 * the session is told that nobody is left to ask, and so it is when the answer is none of the options.
 */
export const askOf =
  (client: AgentContext, session: Session): Ask =>
  (question, signal) => {
    const request = requestOf(session.id, question);
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    const decide = (option: string | null): Promise<void> => session.decide(question.permission, option);
    client
      .request(methods.client.session.requestPermission, request, options)
      .then(chosen, () => null)
      .then((option) => (signal.aborted ? undefined : decide(option)))
      .catch(() => decide(null))
      .catch(() => undefined); // answered meanwhile
  };

/** Answers are not validated by the SDK: whatever is no choice is none. */
function chosen(response: unknown): string | null {
  const outcome = (response as { outcome?: { outcome?: unknown; optionId?: unknown } } | null)?.outcome;
  return outcome?.outcome === "selected" && typeof outcome.optionId === "string" ? outcome.optionId : null;
}

const requestOf = (sessionId: string, question: Question): RequestPermissionRequest => {
  const { card, title, kind, message, options, input, locations } = question;
  return {
    sessionId,
    toolCall: {
      toolCallId: card,
      title,
      kind,
      status: "pending",
      content: [{ type: "content", content: { type: "text", text: message } }],
      ...(input === undefined ? {} : { rawInput: input }),
      ...(locations === undefined ? {} : { locations }),
    },
    options: options.map(({ id, name, kind }) => ({ optionId: id, name, kind })),
  };
};
