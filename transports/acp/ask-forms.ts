/**
 * What an `ask` step asks, as a form of the client: shown when the turn that led to it has ended, before its prompt is
 * answered. The answer begins the next turn, and the prompt is answered when no form is left to show.
 *
 * I1. A form that is declined, fails, or comes back without values leaves the question open: the next prompt answers it.
 * I2. A question that is answered elsewhere, or whose run has ended, is withdrawn from the client.
 * I3. A cancel ends the prompt as it ends every other: when the run has ended and all of it was shown, with its code.
 */
import { type AgentContext, methods } from "@agentclientprotocol/sdk";
import { filter, firstValueFrom, map, Subject, takeUntil } from "rxjs";
import { type Frame, type Session, type TurnResult, troupeError } from "../../actors/troupe.ts";
import { askMessage, askSchema, askValues } from "../../projections/shared/ask-form.ts";
import { asking } from "./asking.ts";
import type { SessionView, TurnEnd } from "./session-view.ts";

type Asked = TurnResult["questions"][number];
type AskForm = Asked["form"] & object;
type Asking = { session: Session; client: AgentContext; view: SessionView; signal: AbortSignal };
/** What became of a question that waits no longer: its run was cancelled, or something else that is no end of the prompt. */
type Fate = { cancelled: TurnEnd["error"] } | "closed";

/** The end of the last turn: of the prompt's own, or of one that an answer has begun. */
export async function askForms(asks: Asking, first: TurnEnd): Promise<TurnEnd> {
  const { session, view } = asks;
  for (let end = first; ; ) {
    const [question] = end.stopReason === "end_turn" ? session.questions() : [];
    if (question?.form === undefined) return end;
    const given = await valuesOf(asks, question, question.form);
    if (given === "closed") return end;
    if ("cancelled" in given) return { ...end, stopReason: "cancelled", error: given.cancelled };
    view.sending();
    const turn = await answer(session, question, given.values);
    if (turn === null) return end;
    end = await view.end(turn);
  }
}

/** Null where another was quicker. */
async function answer(session: Session, { input }: Asked, values: object): Promise<string | null> {
  try {
    return (await session.answer(input, JSON.stringify(values))).turn;
  } catch (error) {
    const { code } = troupeError(error);
    if (code === "USER.FACADE.DUPLICATE_RESPONSE" || code === "USER.FACADE.INPUT_REJECTED") return null;
    throw error;
  }
}

async function valuesOf(
  { session, client, view, signal }: Asking,
  question: Asked,
  form: AskForm,
): Promise<{ values: object } | Fate> {
  const over = new AbortController();
  const stop = (): void => over.abort();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const done$ = new Subject<void>();
  const fate$ = session.log$({ after: session.head() }).pipe(
    takeUntil(done$),
    map((frames) => fateOf(frames, question)),
    filter((fate) => fate !== null),
  );
  const fate = firstValueFrom(fate$);
  fate.then(stop, () => undefined);
  try {
    const asked = await asking(over.signal, (options) =>
      client.request(
        methods.client.elicitation.create,
        {
          mode: "form",
          sessionId: session.id,
          message: askMessage(form, `Step "${question.step}" asks.`),
          requestedSchema: askSchema(form, "oneOf"),
        },
        options,
      ),
    );
    const values = askValues(form, asked);
    return values === null ? "closed" : { values };
  } catch {
    if (!over.signal.aborted) return "closed"; // the client has failed
    const became = await Promise.race([fate, view.lost()]);
    if (became !== "closed") await view.reached(session.head());
    return became;
  } finally {
    done$.next();
    signal.removeEventListener("abort", stop);
  }
}

/** What a batch of the log says of a question; null where it still waits. */
function fateOf(frames: readonly Frame[], { input, run }: Asked): Fate | null {
  for (const frame of frames) {
    if (frame.type === "turn.started" || (frame.type === "input.answered" && frame.payload.input === input))
      return "closed";
    if (frame.type !== "run.completed") continue;
    const { status, error } = frame.payload;
    // A called run that is cancelled ends before its caller.
    if (frame.parentRun === undefined && status === "cancelled") return { cancelled: error ?? null };
    if (frame.run === run && status !== "cancelled") return "closed";
  }
  return null;
}
