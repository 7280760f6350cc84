/**
 * A question of the log, asked of the client: `session/request_permission`.
 *
 * I1. What the client says is decided once. A decision that is refused was about a question that is closed by then, and
 *     is never followed by another one: what has been asked anew meanwhile has the same id.
 * I2. After the signal nothing is decided.
 */
import { type AgentContext, methods, type RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { Attendance } from "../../actors/troupe.ts";
import { consentContent, consentTitle } from "../../projections/acp/consent.ts";
import type { PermissionView } from "../../projections/acp/view.ts";
import { asking } from "./asking.ts";
import type { Offer } from "./offer.ts";
import type { AskClient } from "./session-view.ts";

/**
 * Asks the client and hands the answer to the session. A client that cancels or fails answers nothing: the session then
 * has no one left to ask, as when the answer is none of the options. For a client whose connection
 * is lost nothing is decided: the session itself looks for another viewer.
 */
export const askOf =
  (
    client: AgentContext,
    sessionId: string,
    attendance: Pick<Attendance, "decide">,
    { permissionTimeoutMs }: Pick<Offer, "permissionTimeoutMs">,
  ): AskClient =>
  (question, signal) => {
    const request = requestOf(sessionId, question);
    const decide = (option: string | null): Promise<void> => attendance.decide(question.permission, option);
    if (permissionTimeoutMs !== null && isConsent(question)) {
      const late = (): void => void decide(unaskedOf(question)).catch(() => undefined); // answered meanwhile
      const timer = setTimeout(late, permissionTimeoutMs).unref();
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    }
    asking(signal, (options) => client.request(methods.client.session.requestPermission, request, options))
      .then(
        async (response) => {
          const option = chosen(response, question);
          if (isDismissed(response)) await cancelMayFollow(signal);
          return option;
        },
        () => unaskedOf(question),
      )
      .then((option) => (signal.aborted ? undefined : decide(option)))
      .catch(() => undefined); // I1
  };

/** Whether a prompt asks before its run, and not something that runs. */
const isConsent = ({ options }: PermissionView): boolean => options.some(({ id }) => id === TRUST);
const TRUST = "trust";

/** How long a cancel may take that belongs to a dismissed question. */
const FOLLOWS_MS = 100;
const isDismissed = (response: unknown): boolean =>
  (response as { outcome?: { outcome?: unknown } } | null)?.outcome?.outcome === "cancelled";

/** Some clients dismiss their questions, and cancel the turn a moment later: then it was the cancel that ended them. */
const cancelMayFollow = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, FOLLOWS_MS);
    const come = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", come, { once: true });
  });

/** What is decided where a client cannot be asked: nothing, unless the prompt said that it may then run once. */
const unaskedOf = ({ options }: PermissionView): string | null => options.find(({ id }) => id === "once")?.id ?? null;

/** Answers are not validated by the SDK: whatever is none of the options is none. */
function chosen(response: unknown, { options }: PermissionView): string | null {
  const outcome = (response as { outcome?: { outcome?: unknown; optionId?: unknown } } | null)?.outcome;
  return outcome?.outcome === "selected" ? (options.find(({ id }) => id === outcome.optionId)?.id ?? null) : null;
}

const requestOf = (sessionId: string, question: PermissionView): RequestPermissionRequest => {
  const { card, kind, options, input, locations, timeoutMs } = question;
  return {
    sessionId,
    toolCall: {
      toolCallId: card,
      title: consentTitle(question),
      kind,
      status: "pending",
      content: consentContent(question),
      ...(input === undefined ? {} : { rawInput: input }),
      ...(locations === undefined ? {} : { locations }),
    },
    options: options.map(({ id, name, kind }) => ({ optionId: id, name, kind })),
    ...(timeoutMs === undefined ? {} : { _meta: { "troupe/timeoutMs": timeoutMs } }),
  };
};
