/**
 * Steps as cards, and which steps have one.
 *
 * A command, an operation, a `call_workflow` and an agent below a `parallel` have a card from start to end. An agent
 * elsewhere speaks in the conversation itself. `parallel` and loops have none while all is well: the plan names them
 * and what runs inside has cards of its own, so a card would only spin beside them without content. Whatever has no
 * card gets one when it is skipped, and when it fails and its run does not say why: no error is hidden.
 *
 * I1. A card's id is `<run>/<step path>`, unique in the session.
 * I2. Why a run failed is said once: in the conversation. The card of the step it failed at leaves it to that; a step that
 *     failed while its run continues says it in its card. So the end of a failed step waits for the next row of its run.
 * I3. The card of a step that a crash cut off opens again, empty, once the step is known to run again: by the row that
 *     says so, or, in a log of an earlier version, by what it says.
 */
import type { ErrorFields, Exchange, RowOf, StepKind } from "../../machines/exchange.ts";
import { itemOf } from "../../machines/naming/address.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { Causes } from "../runs/failures.ts";
import { lookOf } from "../step-kinds.ts";
import type { Callers } from "./callers.ts";
import { type Card, type Cards, endFields } from "./cards.ts";
import { endLine, retryLine } from "./lines.ts";
import { blockId } from "./text-offsets.ts";
import { textContent, thoughtChunk, type View } from "./view.ts";

type Step = { title: string; kind: StepKind; parallel: boolean };

const hasCard = ({ kind, parallel }: Step): boolean => {
  const { card } = lookOf(kind);
  return card === "everywhere" || (card === "below a parallel" && parallel);
};

export class Steps {
  readonly #cards: Cards;
  readonly #callers: Callers;
  readonly #steps = new Map<string, Step>();
  /** Failed steps whose cards have not ended, by run. */
  readonly #failed = new Map<string, { row: RowOf<"step.completed">; causes: Causes }>();
  /** Steps whose cards a crash has ended, and that have not been shown again (I3). */
  readonly #cutOff = new Set<string>();
  // The step without a card that spoke last: chunk after chunk asks for the same one.
  #quietRun: string | undefined;
  #quietStep: string | undefined;
  constructor(cards: Cards, callers: Callers) {
    this.#cards = cards;
    this.#callers = callers;
  }

  start({ run = "", step = "", payload }: RowOf<"step.started">, views: View[]): void {
    const { title, kind, parallel, round } = payload;
    const item = itemOf(round);
    const own = item === null ? visibleLine(title) : `${visibleLine(title)} [${item}]`;
    const known: Step = { title: this.#callers.titled(run, own), kind, parallel };
    this.#forgetQuiet();
    this.#steps.set(blockId(run, step), known);
    if (hasCard(known)) this.#open(run, step, known, views);
  }

  /** The card of a call names the run that is called: what that run shows carries its id. */
  call(row: RowOf<"step.call_workflow.started">, views: View[]): void {
    const { run = "", step = "", childRun = "", payload } = row;
    const id = blockId(run, step);
    const known = this.#steps.get(id);
    if (known?.parallel === true) this.#callers.note(row, known.title);
    const card = this.#cards.get(id);
    const rawInput = { workflow: payload.workflow, run: childRun };
    if (card !== undefined) this.#cards.update(card, { rawInput }, views);
  }

  /** The card that shows what a step says, or null when its words belong to the conversation. */
  speaker(run: string, step: string, views: View[]): Card | null {
    if (run === this.#quietRun && step === this.#quietStep) return null;
    const id = blockId(run, step);
    const known = this.#steps.get(id);
    if (known !== undefined && !hasCard(known)) {
      this.#quietRun = run;
      this.#quietStep = step;
      return null;
    }
    return this.#cards.get(id) ?? (known === undefined ? null : this.#open(run, step, known, views));
  }

  /** The card of a step whose output arrives, opened for one whose start lies before what the reader has seen. */
  output(run: string, step: string, views: View[]): Card {
    const known = this.#steps.get(blockId(run, step)) ?? { title: visibleLine(step), kind: "command", parallel: false };
    return this.#cards.get(blockId(run, step)) ?? this.#open(run, step, known, views);
  }

  /** The process that ran them has ended: of all that has begun nothing runs, until its run is resumed. */
  cutOff(): void {
    for (const id of this.#steps.keys()) this.#cutOff.add(id);
  }

  retry({ run = "", step = "", payload }: RowOf<"step.retrying">, views: View[]): void {
    const id = blockId(run, step);
    const known = this.#steps.get(id);
    const isAnew = known !== undefined && hasCard(known) && this.#cutOff.has(id);
    const card = this.#cards.get(id) ?? (isAnew ? this.#open(run, step, known, views) : undefined);
    const line = retryLine(payload);
    if (card === undefined) views.push(thoughtChunk(`${id}@${payload.attempt}#retry`, line));
    else this.#cards.note(card, line);
  }

  /** `causes`: what it has failed of. */
  end(row: RowOf<"step.completed">, causes: Causes, views: View[]): void {
    const { status, error } = row.payload;
    if (status === "failed" && error !== undefined) this.#failed.set(row.run ?? "", { row, causes });
    else this.#end(row, causes, views, false);
  }
  /** Ends the cards of failed steps whose runs have this next row (I2). */
  release(row: Exchange, views: View[]): void {
    if (this.#failed.size === 0) return;
    for (const [run, { row: failed, causes }] of this.#failed) {
      if (row.run !== run && row.type !== "turn.completed") continue;
      this.#failed.delete(run);
      this.#end(failed, causes, views, tells(row, failed));
    }
  }

  /** `isTold`: what it failed of is said elsewhere. */
  #end(
    { run = "", step = "", payload }: RowOf<"step.completed">,
    causes: Causes,
    views: View[],
    isTold: boolean,
  ): void {
    const id = blockId(run, step);
    const { name, kind, status, exitCode, error } = payload;
    const known = this.#steps.get(id) ?? { title: visibleLine(name), kind, parallel: false };
    this.#steps.delete(id);
    this.#forgetQuiet();
    const ending = status === "skipped" ? "completed" : status;
    // What a step started ends with it, whatever the one who reported it forgot.
    this.#cards.closeWhere(
      (card) => card.id !== id && card.run === run && card.step === step,
      { status: ending },
      views,
    );
    const open = this.#cards.get(id);
    const line = endLine(status, isTold ? undefined : error);
    const end = {
      ...{ status: ending, exitCode, ...rawOf(exitCode, error) },
      ...(line === null ? {} : { note: line }),
      ...(causes === null || status !== "failed" ? {} : { meta: { "troupe/failed": causes.slice(0, MOST_CAUSES) } }),
    };
    const title = status === "skipped" ? `${known.title} (skipped)` : known.title;
    if (open !== undefined) return this.#cards.close(open, end, views, status === "skipped" ? { title } : {});
    const isAnew = this.#cutOff.delete(id);
    if (!hasCard(known) && status !== "skipped" && (status !== "failed" || isTold)) return;
    const content = line === null && !isAnew ? {} : { content: line === null ? [] : [textContent(line)] };
    const head = { toolCallId: id, title, kind: lookOf(kind).tool };
    views.push({ update: { sessionUpdate: "tool_call", ...head, ...endFields(end), ...content } });
  }

  /** Forgets what it knows: nothing of the session runs. */
  clear(): void {
    this.#steps.clear();
    this.#cutOff.clear();
    this.#forgetQuiet();
  }
  #forgetQuiet(): void {
    this.#quietRun = undefined;
    this.#quietStep = undefined;
  }

  #open(run: string, step: string, { title, kind }: Step, views: View[]): Card {
    const head = { id: blockId(run, step), run, step, title, kind: lookOf(kind).tool, fenced: kind !== "agent" };
    return this.#cards.open(head, this.#cutOff.delete(head.id) ? { content: [] } : {}, views);
  }
}

/** Whether a row is the end of what a failed step belongs to, and says the same. */
function tells(row: Exchange, { step = "", payload }: RowOf<"step.completed">): boolean {
  const isAbove = row.type === "run.completed" || (row.type === "step.completed" && step.startsWith(`${row.step}/`));
  return isAbove && row.payload.status === "failed" && row.payload.error?.message === payload.error?.message;
}

/** More of them come with the end of the turn, or are counted. */
const MOST_CAUSES = 20;
/** What a program may want to know of a step that did not simply succeed; clients print it beside the output. */
const rawOf = (exitCode: number, error: ErrorFields | undefined) =>
  exitCode === 0 && error === undefined
    ? {}
    : { rawOutput: { exitCode, ...(error === undefined ? {} : { code: error.code }) } };
