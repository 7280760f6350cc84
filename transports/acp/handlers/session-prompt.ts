/**
 * `session/prompt`.
 *
 * I1. A second prompt of a session is refused before anything is awaited.
 * I2. The answer is given when this connection's watch has sent the turn's last update, by no other path; only a log
 *     that cannot be written answers with its error, and a cancel before the prompt was sent on with itself.
 */
import { type AgentContext, type PromptRequest, type PromptResponse, RequestError } from "@agentclientprotocol/sdk";
import { withdrawnUpdate } from "../../../projections/acp/view.ts";
import { blocksOf } from "../blocks.ts";
import type { EditorConnection } from "../connection.ts";
import { elicit } from "../elicit.ts";
import { answerOf, endOf } from "../ending.ts";
import { whenLost } from "../lost.ts";
import type { TurnEnd } from "../session-view.ts";
import { type ExecutionState, stateOf, tell } from "../states.ts";

export type Prompted = { params: PromptRequest; client: AgentContext; signal: AbortSignal };

/** It was cancelled before it was sent on. */
const WITHDRAWN: TurnEnd = { stopReason: "cancelled", error: null };

export async function prompt(
  connection: EditorConnection,
  { params, client, signal }: Prompted,
): Promise<PromptResponse> {
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
    if (inputs === "cancelled" || withdrawn.aborted) {
      if (switches.updatesOnCancel === "closing") connection.service.writer.update(id, withdrawnUpdate());
      return answerOf(WITHDRAWN, switches, signal);
    }
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
    const end = endOf(await Promise.race([watch.end(turn), lost]), switches);
    told(stateOf(end));
    return answerOf(end, switches, signal);
  } finally {
    signal.removeEventListener("abort", cancel);
    watch.prompted();
    connection.spreadEnd(session);
    connection.announcer.check(id);
    // What waits for a person may be answered from elsewhere.
    if (!isLoaded && watch.isAtRest) connection.unwatch(id);
    connection.release(id);
  }
}
