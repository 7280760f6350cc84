/**
 * `session/prompt`.
 *
 * I1. A second prompt of a session is refused before anything is awaited.
 * I2. The answer is given when this connection's watch has sent the turn's last update, by no other path; only a log
 *     that cannot be written answers with its error, and a cancel before the prompt was sent on with itself.
 */
import type { AgentContext, PromptRequest, PromptResponse } from "@agentclientprotocol/sdk";
import { blocksOf } from "../blocks.ts";
import type { Connection } from "../connection.ts";
import { elicit } from "../elicit.ts";
import { whenLost } from "../lost.ts";
import { askOf } from "../permissions.ts";

export type Prompted = { params: PromptRequest; client: AgentContext; signal: AbortSignal };

export async function prompt(connection: Connection, { params, client, signal }: Prompted): Promise<PromptResponse> {
  const id = params.sessionId;
  const session = connection.reserve(id);
  const isLoaded = connection.isWatched(id);
  const watch = connection.watch(session, { after: session.head(), alone: true });
  const cancel = (): void => {
    connection.withdraw(id);
    session.cancel().catch(() => undefined);
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    watch.prompting(askOf(client, session));
    const { defaultWorkflow } = connection.service;
    const blocks = blocksOf(params.prompt);
    const inputs = connection.showsForms ? await elicit(client, session, blocks, connection.asking(id)) : null;
    if (inputs === "cancelled") return { stopReason: "cancelled" };
    const asked = session.prompt({
      blocks,
      consent: "ask",
      ...(inputs === null ? {} : { inputs }),
      ...(defaultWorkflow === undefined ? {} : { defaultWorkflow }),
    });
    const lost = whenLost(session);
    const { turn } = await asked;
    const { stopReason, error } = await Promise.race([watch.end(turn), lost]);
    return { stopReason, ...(error === null ? {} : { _meta: { "troupe/error": error } }) };
  } finally {
    signal.removeEventListener("abort", cancel);
    watch.prompted();
    if (!isLoaded) connection.unwatch(id);
    connection.release(id);
  }
}
