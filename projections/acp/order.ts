/**
 * The order in which a client is sent what a turn shows: as it happens, or by kind, where that is switched on.
 *
 * I1. What a message says is never changed, and none is lost. Words are held back from a prompt of the reader until its
 *     turn has ended, or it is answered; and in a replay, until a turn has ended there, or the replay has. What comes else
 *     has no end to wait for, and is shown as it happens.
 * I2. Where nothing is sent of a turn that is cancelled, nothing of it is sent from the cancel on, its end included, and
 *     that of its run where that outlives it. A turn that ends otherwise, since the cancel came too late for it, is told
 *     whole.
 * I3. Where nothing is sent of a turn that was not permitted, what comes before its run waits for the run.
 * I4. By kind, a plan comes before the cards of its turn, and behind the turn before; each switch beside that leaves the
 *     order as it is.
 */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { filter, identity, merge, type Observable } from "rxjs";
import { folding, type Projection } from "../shared/projection.ts";
import type { View } from "./view.ts";

/**
 * `updateOrder`: as they happen; or by kind, the words when the turn has ended. `updatesOnCancel`: what is sent of a turn
 * that is being cancelled: the ends of its cards, or nothing. `deniedPrompt`: how one ends that its client did not permit:
 * explained, or cancelled, and nothing is sent of it.
 */
export type Ordering = {
  updateOrder: "streaming" | "by kind";
  updatesOnCancel: "closing" | "none";
  deniedPrompt: "words" | "cancelled";
};
/**
 * What the reader's side knows: its prompt begins, `begins` before everything else of it; is being cancelled; is about to
 * be answered. Or what comes is a replay, or is none any more.
 */
export type TurnSignal =
  | { begins: readonly View[] }
  | { isCancelled: true }
  | { isAnswered: true }
  | { replays: boolean };

/** Batches of views in the order of a profile; as they are where nothing is held back. */
export const inOrder = (ordering: Ordering, turns$: Observable<TurnSignal>): Projection<View[], View[]> => {
  if (ordering.updateOrder === "streaming" && ordering.updatesOnCancel === "closing") return identity;
  return (views$) =>
    merge(turns$, views$).pipe(
      folding(
        () => new Order(ordering),
        (order, seen: TurnSignal | View[]): View[] => {
          if (Array.isArray(seen)) return order.take(seen);
          if ("begins" in seen) return order.begin(seen.begins);
          if ("isAnswered" in seen) return order.answered();
          if ("replays" in seen) return order.replay(seen.replays);
          order.cancel();
          return [];
        },
      ),
      filter((views) => views.length > 0),
    );
};

/** The codes of a prompt that was not permitted, and of a run that was stopped because something in it was not. */
const DENIED = ["USER.TRUST.REFUSED", "EXECUTION.STEP.DENIED"];

/** Whether a turn ended with a no that counts as a cancel here. */
export const isDenied = (
  { stopReason, error }: Pick<Extract<View, { ended: string }>, "stopReason" | "error">,
  { deniedPrompt }: Pick<Ordering, "deniedPrompt">,
): boolean => deniedPrompt === "cancelled" && stopReason === "refusal" && DENIED.includes(error?.code ?? "");

const isPlan = (view: View): boolean => "update" in view && view.update.sessionUpdate === "plan";
const isPrompt = (view: View): boolean => "update" in view && view.update.sessionUpdate === "user_message_chunk";
/** What no plan goes before: the end of a turn, and the prompt that begins one. */
const isBorder = (view: View): boolean => "ended" in view || isPrompt(view);
/** I4. A plan is made for a whole batch, behind the cards in it. */
function plansFirst(views: readonly View[]): View[] {
  const ordered: View[] = [];
  let place = 0;
  for (const view of views) {
    if (isPlan(view)) ordered.splice(place++, 0, view);
    else if (ordered.push(view) && isBorder(view)) place = ordered.length;
  }
  return ordered;
}

class Order {
  readonly #ordering: Ordering;
  /** Words that wait for the turn's end. */
  #held: View[] = [];
  /** What came since the turn is being cancelled, and waits for how it ends; null while it is not. */
  #silenced: View[] | null = null;
  /** What waits for the run of the turn; null once something of it was seen. */
  #before: View[] | null = null;
  /** Cards of questions that were asked before it. */
  readonly #asked = new Set<string>();
  /** A prompt of the reader has no answer yet. */
  #isPrompted = false;
  #isReplay = false;
  constructor(ordering: Ordering) {
    this.#ordering = ordering;
  }

  /** A turn begins; `first` is shown before everything else of it. */
  begin(first: readonly View[]): View[] {
    this.#isPrompted = true;
    this.#silenced = null; // a cancel was about what came before
    this.#asked.clear();
    if (this.#ordering.deniedPrompt !== "cancelled") return [...first];
    this.#before = [...first];
    return [];
  }

  /** The prompt is about to be answered: what of it had no turn to end with is shown, unless it was cancelled. */
  answered(): View[] {
    this.#isPrompted = false;
    return this.#release(this.#silenced !== null);
  }

  replay(isReplay: boolean): View[] {
    this.#isReplay = isReplay;
    return isReplay || this.#isPrompted ? [] : this.#release(false);
  }

  /** The turn that runs is being cancelled. */
  cancel(): void {
    if (this.#ordering.updatesOnCancel === "none") this.#silenced ??= [];
  }

  take(views: View[]): View[] {
    for (const view of views) if ("permission" in view) this.#asked.add(view.permission.card);
    const ordered = this.#ordering.updateOrder === "by kind" ? plansFirst(views) : views;
    return ordered.flatMap((view) => {
      if ("ended" in view) return [...this.#rest(view), view];
      if (!("update" in view)) return [view];
      if (isPrompt(view)) this.#silenced = null; // another client's: the cancel was about what came before
      if (this.#before === null || this.#silenced !== null) return this.#later(view);
      if (this.#isBefore(view)) {
        this.#before.push(view);
        return [];
      }
      const before = this.#before;
      this.#before = null;
      return [...before, ...this.#later(view)];
    });
  }

  #isBefore({ update }: View & { update: SessionUpdate }): boolean {
    switch (update.sessionUpdate) {
      case "session_info_update":
      case "agent_message_chunk":
        return true;
      case "tool_call":
      case "tool_call_update":
        return this.#asked.has(update.toolCallId);
      default:
        return false;
    }
  }
  #later(view: View & { update: SessionUpdate }): View[] {
    const { sessionUpdate } = view.update;
    const isWords = sessionUpdate === "agent_message_chunk" || sessionUpdate === "agent_thought_chunk";
    const isHeld = this.#isPrompted || this.#isReplay;
    if (this.#ordering.updateOrder === "by kind" && isWords && isHeld) this.#held.push(view);
    else if (this.#silenced === null) return [view];
    else this.#silenced.push(view);
    return [];
  }

  #rest(end: Extract<View, { ended: string }>): View[] {
    const isCancelled = end.stopReason === "cancelled" && this.#ordering.updatesOnCancel === "none";
    const isSilent = isCancelled && this.#silenced !== null && end.goesOn;
    const rest = this.#release(isCancelled || isDenied(end, this.#ordering));
    if (isSilent) this.#silenced = [];
    return rest;
  }

  #release(isUntold: boolean): View[] {
    const rest = isUntold ? [] : [...(this.#before ?? []), ...(this.#silenced ?? []), ...this.#held];
    this.#before = null;
    this.#held = [];
    this.#silenced = null;
    return rest;
  }
}
