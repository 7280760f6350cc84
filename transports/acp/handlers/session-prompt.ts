/**
 * `session/prompt`.
 *
 * I1. A second prompt of a session is refused before anything is awaited.
 * I2. The answer is given when this connection's watch has sent the turn's last update, by no other path; only a log
 *     that cannot be written answers with its error, and a cancel before the prompt was sent on with itself.
 */
import { type AgentContext, type PromptRequest, type PromptResponse, RequestError } from "@agentclientprotocol/sdk";
import { blocksOf } from "../blocks.ts";
import type { Connection } from "../connection.ts";
import { elicit } from "../elicit.ts";
import { whenLost } from "../lost.ts";
import { DENIED } from "../order.ts";
import type { Switches } from "../profile.ts";
import { type ExecutionState, stateOf, tell } from "../states.ts";
import type { TurnEnd } from "../watch.ts";

export type Prompted = { params: PromptRequest; client: AgentContext; signal: AbortSignal };

/** A request that its client took back is answered with -32800, a session that was cancelled with `cancelled`. */
function cancelled(signal: AbortSignal): PromptResponse {
  if (signal.aborted) throw RequestError.requestCancelled();
  return { stopReason: "cancelled" };
}

/** A prompt that its client did not permit ends as the profile says. */
function endOf(end: TurnEnd, { deniedPrompt }: Switches): TurnEnd {
  return end.error?.code === DENIED && deniedPrompt === "cancelled" ? { ...end, stopReason: deniedPrompt } : end;
}

export async function prompt(connection: Connection, { params, client, signal }: Prompted): Promise<PromptResponse> {
  // It may have been taken back on its way here.
  if (signal.aborted) throw RequestError.requestCancelled();
  const id = params.sessionId;
  const { session, by } = connection.reserve(id);
  const isLoaded = connection.isWatched(id);
  const watch = connection.watch(session, { after: session.head() });
  const cancel = (): void => {
    connection.withdraw(id);
    // What a lost connection leaves running is the session's to decide.
    if (!connection.isClosed) session.cancel().catch(() => undefined);
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const { switches } = connection.offer;
    const told = (state: ExecutionState): void =>
      tell(connection.service.writer, switches, { sessionId: id, execution_state: { state } });
    told("queued");
    const withdrawn = connection.asking(id);
    const isByKind = switches.updateOrder === "by kind";
    watch.prompting(isByKind ? [{ update: await connection.announcer.of(session.cwd) }] : []);
    const defaultWorkflow = connection.service.defaultWorkflow ?? connection.offer.defaultWorkflow;
    const blocks = blocksOf(params.prompt);
    const inputs = connection.showsForms ? await elicit(client, session, blocks, withdrawn) : null;
    if (inputs === "cancelled" || withdrawn.aborted) return cancelled(signal);
    connection.spread(session);
    const asked = session.prompt({
      blocks,
      consent: connection.offer.permissionMode === "permissive" ? "ask or once" : "ask",
      by,
      ...(inputs === null ? {} : { inputs }),
      ...(defaultWorkflow === null ? {} : { defaultWorkflow }),
    });
    const lost = whenLost(session);
    const { turn } = await asked;
    told("running");
    const { stopReason, error } = endOf(await Promise.race([watch.end(turn), lost]), switches);
    told(stateOf(stopReason, error !== null));
    if (stopReason === "cancelled") cancelled(signal);
    if (error !== null && stopReason === "end_turn" && switches.failedPrompt === "error")
      throw new RequestError(-32603, error.message, error);
    return { stopReason, ...(error === null ? {} : { _meta: { "troupe/error": error } }) };
  } finally {
    signal.removeEventListener("abort", cancel);
    watch.prompted();
    connection.spreadEnd(session);
    // What waits for a person may be answered from elsewhere.
    if (!isLoaded && watch.isAtRest) connection.unwatch(id);
    connection.release(id);
  }
}
