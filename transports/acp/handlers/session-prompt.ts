/**
 * `session/prompt`.
 *
 * I1. A second prompt of a session is refused before anything is awaited; what is said to an agent at work (`tell.ts`) is
 *     none.
 * I2. The answer is given when this connection's view has sent the turn's last update, by no other path; only a log
 *     that cannot be written answers with its error, and a cancel before the prompt was sent on with itself.
 * I3. Where its state is announced, one that was `queued` is said to have ended, whatever came of it.
 */
import { type AgentContext, type PromptRequest, type PromptResponse, RequestError } from "@agentclientprotocol/sdk";
import type { Reservation } from "../../../actors/troupe.ts";
import { askForms } from "../ask-forms.ts";
import type { AttendedSession } from "../attended-session.ts";
import { blocksOf } from "../blocks.ts";
import type { EditorConnection } from "../connection.ts";
import { elicit } from "../elicit.ts";
import { answerOf } from "../manner.ts";
import type { SessionView, TurnEnd } from "../session-view.ts";
import { type ExecutionState, stateOf, tell } from "../states.ts";
import { tellByPrompt, toldBy } from "./tell.ts";

export type Prompted = { params: PromptRequest; client: AgentContext; signal: AbortSignal };

/** It was cancelled before it was sent on. */
const WITHDRAWN: TurnEnd = { stopReason: "cancelled", error: null };

/** Rejects when the log of the turn cannot be written; otherwise it never settles. `ended`: the turn's end. */
function whenLost(ended: Promise<unknown>): Promise<never> {
  const lost = new Promise<never>((_, reject) => ended.catch(reject));
  lost.catch(() => undefined); // a prompt that was refused has its answer already
  return lost;
}

/** Gives the reservation back where the log cannot be read. */
function shownFor(attended: AttendedSession, reserved: Reservation): SessionView {
  try {
    return attended.show({ after: attended.session.head() });
  } catch (error) {
    reserved.answered();
    throw error;
  }
}

export async function prompt(
  connection: EditorConnection,
  { params, client, signal }: Prompted,
): Promise<PromptResponse> {
  // It may have been taken back on its way here.
  if (signal.aborted) throw RequestError.requestCancelled();
  const id = params.sessionId;
  const guidance = toldBy(params);
  if (guidance !== null) return await tellByPrompt(connection, id, guidance);
  const { manner, offer, writer } = connection;
  const attended = connection.attended(id);
  const reserved = attended.reserve();
  const { session, isShown } = attended;
  const view = shownFor(attended, reserved);
  const cancel = (): void => {
    attended.cancelled();
    // What a lost connection leaves running is the session's to decide.
    if (!connection.isClosed) session.cancel().catch(() => undefined);
  };
  signal.addEventListener("abort", cancel, { once: true });
  const told = (state: ExecutionState): void =>
    tell(writer, offer.switches, { sessionId: id, execution_state: { state } });
  const turn = async (): Promise<TurnEnd> => {
    view.prompting(await manner.first(() => connection.announcer.of(session.cwd)));
    const defaultWorkflow = connection.service.defaultWorkflow ?? offer.defaultWorkflow;
    const blocks = blocksOf(params.prompt);
    const inputs = connection.showsForms ? await elicit(client, session, blocks, reserved.withdrawn) : null;
    if (inputs === "cancelled" || reserved.withdrawn.aborted) {
      for (const update of manner.withdrawn) writer.update(id, update);
      await connection.announcer.settled(id);
      return WITHDRAWN;
    }
    connection.spread(session);
    const prompted = reserved.prompt({
      blocks,
      consent: offer.permissionMode === "permissive" ? "ask or once" : "ask",
      ...(inputs === null ? {} : { inputs }),
      ...(defaultWorkflow === null ? {} : { defaultWorkflow }),
    });
    view.sending(reserved.turn());
    const lost = whenLost(reserved.ended);
    const begun = await prompted;
    told("running");
    const shown = await Promise.race([view.end(begun.turn), lost]);
    await connection.announcer.settled(id);
    const asked = connection.showsForms ? await askForms({ session, client, view, signal }, shown) : shown;
    return manner.end(asked);
  };
  try {
    told("queued");
    const end = await turn().catch(async (error: unknown) => {
      await connection.announcer.settled(id);
      told("failed");
      throw error;
    });
    told(stateOf(end));
    return answerOf(end, manner, signal);
  } finally {
    signal.removeEventListener("abort", cancel);
    view.prompted();
    connection.spreadEnd(session);
    connection.announcer.check(id);
    // What waits for a person may be answered from elsewhere.
    if (!isShown && view.isAtRest) attended.hide();
    reserved.answered();
  }
}
