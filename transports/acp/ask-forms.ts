/**
 * What an `ask` step asks, as a form of the client: shown when the turn that led to it has ended, before its prompt is
 * answered. The answer begins the next turn, and the prompt is answered when no form is left to show.
 *
 * I1. A form that is declined, fails, or comes back without values leaves the question open: the next prompt answers it.
 * I2. A question that is answered elsewhere, or whose run has ended, is withdrawn from the client.
 */
import { type AgentContext, methods } from "@agentclientprotocol/sdk";
import { filter, firstValueFrom, Subject, takeUntil } from "rxjs";
import { type Frame, type Session, type TurnResult, troupeError } from "../../actors/troupe.ts";
import { askMessage, askSchema, askValues } from "../../projections/shared/ask-form.ts";
import { asking } from "./asking.ts";
import type { SessionView, TurnEnd } from "./session-view.ts";

type Asked = TurnResult["questions"][number];
type AskForm = Asked["form"] & object;
type Asking = { session: Session; client: AgentContext; view: SessionView; signal: AbortSignal };

/** The end of the last turn: of the prompt's own, or of one that an answer has begun. */
export async function askForms({ session, client, view, signal }: Asking, first: TurnEnd): Promise<TurnEnd> {
  for (let end = first; ; ) {
    const [question] = end.stopReason === "end_turn" && !signal.aborted ? session.questions() : [];
    if (question?.form === undefined) return end;
    const values = await valuesOf({ session, client, signal }, question, question.form);
    if (values === "cancelled") return { ...end, stopReason: "cancelled" };
    if (values === null) return end;
    const turn = await answer(session, question, values);
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
  { session, client, signal }: Omit<Asking, "view">,
  question: Asked,
  form: AskForm,
): Promise<object | "cancelled" | null> {
  const over = new AbortController();
  let isCancelled = false;
  const end = (cancels: boolean): void => {
    isCancelled ||= cancels;
    over.abort();
  };
  const stop = (): void => end(true);
  signal.addEventListener("abort", stop, { once: true });
  const done$ = new Subject<void>();
  const closed$ = session.log$({ after: session.head() }).pipe(takeUntil(done$), filter(closes(question)));
  firstValueFrom(closed$).then(
    (frames) => end(frames.some((frame) => frame.type === "run.completed" && frame.payload.status === "cancelled")),
    () => undefined,
  );
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
    return askValues(form, asked);
  } catch {
    return isCancelled ? "cancelled" : null;
  } finally {
    done$.next();
    signal.removeEventListener("abort", stop);
  }
}

/** Whether a batch of the log says that a question waits no longer. */
const closes =
  ({ input, run }: Asked) =>
  (frames: readonly Frame[]): boolean =>
    frames.some(
      (frame) =>
        (frame.type === "input.answered" && frame.payload.input === input) ||
        (frame.type === "run.completed" && frame.run === run) ||
        frame.type === "turn.started",
    );
