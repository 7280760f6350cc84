/**
 * The order in which a client is sent what a turn shows: as it happens, or by kind, where that is switched on.
 *
 * I1. What a message says is never changed, and none is lost: what is held back is sent before the turn's end is
 *     reported.
 * I2. Where nothing is sent of a turn that is cancelled, nothing of it is sent from the cancel on, its end included. A
 *     turn that ends otherwise, since the cancel came too late for it, is told whole.
 * I3. Where nothing is sent of a turn that was not permitted, what comes before its run waits for the run.
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
/** What the reader's side knows of its prompt: it begins, `begins` before everything else of it; or it is being cancelled. */
export type TurnSignal = { begins: readonly View[] } | { isCancelled: true };

/** Batches of views in the order of a profile; as they are where nothing is held back. */
export const inOrder = (ordering: Ordering, turns$: Observable<TurnSignal>): Projection<View[], View[]> => {
  if (ordering.updateOrder === "streaming" && ordering.updatesOnCancel === "closing") return identity;
  return (views$) =>
    merge(turns$, views$).pipe(
      folding(
        () => new Order(ordering),
        (order, seen: TurnSignal | View[]): View[] => {
          if (Array.isArray(seen)) return order.take(seen);
          if ("begins" in seen) order.begin(seen.begins);
          else order.cancel();
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
/** A plan is made for a whole batch, behind the cards in it. */
const plansFirst = (views: View[]): View[] => [...views.filter(isPlan), ...views.filter((view) => !isPlan(view))];

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
  constructor(ordering: Ordering) {
    this.#ordering = ordering;
  }

  /** A turn begins; `first` is shown before everything else of it. */
  begin(first: readonly View[]): void {
    this.#before = [...first];
    this.#silenced = null; // a cancel was about what came before
    this.#asked.clear();
  }

  /** The turn that runs is being cancelled. */
  cancel(): void {
    if (this.#ordering.updatesOnCancel === "none") this.#silenced ??= [];
  }

  take(views: View[]): View[] {
    for (const view of views) if ("permission" in view) this.#asked.add(view.permission.card);
    return plansFirst(views).flatMap((view) => {
      if ("ended" in view) return [...this.#rest(view), view];
      if (!("update" in view)) return [view];
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
    if (this.#ordering.updateOrder === "by kind" && isWords) this.#held.push(view);
    else if (this.#silenced === null) return [view];
    else this.#silenced.push(view);
    return [];
  }

  #rest(end: Extract<View, { ended: string }>): View[] {
    const isCancelled = end.stopReason === "cancelled" && this.#ordering.updatesOnCancel === "none";
    const isUntold = isCancelled || isDenied(end, this.#ordering);
    const rest = isUntold ? [] : [...(this.#before ?? []), ...(this.#silenced ?? []), ...this.#held];
    this.#before = null;
    this.#held = [];
    this.#silenced = null;
    return rest;
  }
}
