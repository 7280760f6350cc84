/**
 * A session's log as spans: session, turn, run, step, attempt, tool, question. Each is made when it ends, from two rows.
 *
 * I1. A span's id follows from what it is the span of (`machines/trace-context.ts`): a process that ends what another one
 *     began names the same parents.
 * I2. Of what a person, an agent or a program wrote, a span has no more than names, titles and messages of failures.
 * I3. What has no end in the log has no span.
 */
import { type ErrorFields, type Exchange, type Frame, isLive, type RowOf } from "../../machines/exchange.ts";
import { pathAbove } from "../../machines/naming/address.ts";
import {
  attemptSpan,
  questionSpan,
  runSpan,
  sessionSpan,
  stepSpan,
  type Tracing,
  toolSpan,
  traceIdOf,
  turnSpan,
} from "../../machines/trace-context.ts";
import { folding, type Projection } from "../shared/projection.ts";
import type { Attributes, OpenSpan, TraceSpan } from "./span.ts";
import { SpanUses } from "./uses.ts";

/** The code of a failure that the log has none of. */
const FAILED = "failed";

export type SpansOptions = Tracing & { session: string };

/** The spans that ended with a batch, in the order of their ends. */
export const spans = (options: SpansOptions): Projection<readonly TraceSpan[]> =>
  folding(
    () => new SpanFold(options),
    (fold, frames: readonly Frame[]) => frames.flatMap((frame) => (isLive(frame) ? [] : fold.see(frame))),
  );

class SpanFold {
  readonly #session: string;
  readonly #traceId: string;
  readonly #outer: string | null;
  /** What turns stand below. */
  #root: string;
  readonly #open = new Map<string, OpenSpan>();
  readonly #uses = new SpanUses();
  /** The number of the attempt that a step is at. */
  readonly #attempts = new Map<string, number>();

  constructor({ session, outer }: SpansOptions) {
    this.#session = session;
    this.#traceId = traceIdOf(session, { outer });
    this.#outer = outer?.spanId ?? null;
    this.#root = this.#outer ?? sessionSpan(session);
  }

  see(row: Exchange): TraceSpan[] {
    switch (row.type) {
      case "session.opened":
        this.#root = sessionSpan(this.#session);
        this.#begin(row.at, { id: this.#root, parent: this.#outer, kind: "session", name: "session" }, {});
        return [];
      case "turn.started":
        return this.#turnStarted(row);
      case "turn.completed": {
        const { turn, stopReason, error = null } = row.payload;
        const ended = this.#end(row.at, turnSpan(turn), { "troupe.stop_reason": stopReason }, error);
        return [...ended, ...this.#end(row.at, sessionSpan(this.#session), {}, null)];
      }
      case "run.started":
        return this.#runStarted(row);
      case "run.completed": {
        const { status, exitCode, error = null } = row.payload;
        const end = { "troupe.status": status, "troupe.exit_code": exitCode };
        return this.#end(row.at, runSpan(row.run ?? ""), end, status === "failed" ? failure(error) : null);
      }
      case "step.started":
        return this.#stepStarted(row);
      case "step.retrying": {
        const { attempt, delayMs, reason } = row.payload;
        const ended = this.#endAttempt(row, reason);
        this.#beginAttempt(row, attempt + 1, row.at + delayMs);
        return ended;
      }
      case "step.completed": {
        const { run = "", step = "", payload } = row;
        const error = payload.status === "failed" ? failure(payload.error ?? null) : null;
        const end = { "troupe.status": payload.status, "troupe.exit_code": payload.exitCode };
        const ended = [...this.#endAttempt(row, error), ...this.#end(row.at, stepSpan(run, step), end, error)];
        this.#attempts.delete(keyOf(row));
        return ended;
      }
      case "tool.call":
        return this.#toolCalled(row);
      case "tool.result": {
        const { call, status, title } = row.payload;
        const error = status === "failed" ? failure({ code: FAILED, message: title ?? "" }) : null;
        return this.#end(row.at, toolSpan(row.run ?? "", row.step ?? "", call), { "troupe.status": status }, error);
      }
      case "permission.requested":
        return this.#asked(row, row.payload.permission, "permission");
      case "permission.resolved":
        return this.#end(row.at, questionSpan(row.payload.permission), { "troupe.outcome": row.payload.outcome }, null);
      case "input.required":
        return this.#asked(row, row.payload.input, "question");
      case "input.answered":
        return this.#end(row.at, questionSpan(row.payload.input), {}, null);
      case "usage.recorded":
        return this.#used(row);
      default:
        return [];
    }
  }

  #turnStarted({ at, payload: { turn } }: Exchange<RowOf<"turn.started">>): [] {
    return this.#begin(
      at,
      { id: turnSpan(turn), parent: this.#root, kind: "turn", name: "turn" },
      { "troupe.turn": turn },
    );
  }
  #runStarted({ at, run = "", parentRun, parentStep, payload }: Exchange<RowOf<"run.started">>): [] {
    const { workflow, turn } = payload;
    const caller = parentRun === undefined ? null : this.#attemptOf({ run: parentRun, step: parentStep ?? "" });
    const parent = caller ?? (turn === undefined ? this.#root : turnSpan(turn));
    const about = { "troupe.run": run, "troupe.workflow": workflow };
    return this.#begin(at, { id: runSpan(run), parent, kind: "run", name: `run ${workflow}` }, about);
  }
  #stepStarted(row: Exchange<RowOf<"step.started">>): [] {
    const { at, run = "", step: path = "", payload } = row;
    const about = { ...placeOf(row), "troupe.step.kind": payload.kind, "troupe.step.title": payload.title };
    const span = {
      id: stepSpan(run, path),
      parent: aboveStep(run, path),
      kind: "step",
      name: `step ${payload.name}`,
    } as const;
    this.#begin(at, span, about);
    return this.#beginAttempt(row, 1, at);
  }
  #beginAttempt(row: Pick<Exchange, "run" | "step">, attempt: number, at: number): [] {
    const { run = "", step: path = "" } = row;
    this.#attempts.set(keyOf(row), attempt);
    const span = { id: attemptSpan(run, path, attempt), parent: stepSpan(run, path), kind: "attempt" } as const;
    return this.#begin(at, { ...span, name: `attempt ${attempt}` }, { ...placeOf(row), "troupe.attempt": attempt });
  }
  #toolCalled(row: Exchange<RowOf<"tool.call">>): [] {
    const { call, title, kind } = row.payload;
    const about = { "gen_ai.operation.name": "execute_tool", "troupe.tool.kind": kind, "troupe.tool.title": title };
    const id = toolSpan(row.run ?? "", row.step ?? "", call);
    const span = { id, parent: this.#attemptOf(row), kind: "tool", name: `tool ${kind}` } as const;
    return this.#begin(row.at, span, { ...placeOf(row), ...about });
  }
  /**
   * A question stands in a step's attempt, or in the run, or in what the session's turns stand in. One that is asked anew
   * has waited since it was asked first.
   */
  #asked(row: Exchange, question: string, kind: "permission" | "question"): [] {
    if (this.#open.has(questionSpan(question))) return [];
    const inRun = row.run === undefined ? this.#root : runSpan(row.run);
    const parent = row.step === undefined ? inRun : this.#attemptOf(row);
    return this.#begin(row.at, { id: questionSpan(question), parent, kind, name: kind }, placeOf(row));
  }
  #endAttempt(row: Pick<Exchange, "run" | "step" | "at">, error: ErrorFields | null): TraceSpan[] {
    return this.#end(row.at, this.#attemptOf(row), {}, error);
  }
  #attemptOf(row: { run?: string; step?: string }): string {
    return attemptSpan(row.run ?? "", row.step ?? "", this.#attempts.get(keyOf(row)) ?? 1);
  }
  #used(row: Exchange<RowOf<"usage.recorded">>): [] {
    const id = this.#attemptOf(row);
    const span = this.#open.get(id);
    if (span !== undefined) Object.assign(span.attributes, this.#uses.more(id, row.payload));
    return [];
  }

  #begin(startedAt: number, span: Pick<OpenSpan, "id" | "parent" | "kind" | "name">, about: Attributes): [] {
    const attributes = { "session.id": this.#session, ...about };
    this.#open.set(span.id, { traceId: this.#traceId, ...span, startedAt, attributes });
    return [];
  }
  #end(at: number, id: string, more: Attributes, error: ErrorFields | null): TraceSpan[] {
    const span = this.#open.get(id);
    if (span === undefined) return [];
    this.#open.delete(id);
    this.#uses.end(id);
    const endedAt = Math.max(at, span.startedAt);
    return [{ ...span, endedAt, error, attributes: { ...span.attributes, ...more } }];
  }
}

const keyOf = ({ run = "", step = "" }: { run?: string; step?: string }): string => `${run} ${step}`;
const placeOf = ({ run, step }: Pick<Exchange, "run" | "step">): Attributes => ({
  ...(run === undefined ? {} : { "troupe.run": run }),
  ...(step === undefined ? {} : { "troupe.step": step }),
});
const failure = (error: ErrorFields | null): ErrorFields => error ?? { code: FAILED, message: "" };

/** A branch or a round stands in the attempt of its container that its path names: `each@2/0.look` in the second. */
function aboveStep(run: string, path: string): string {
  const above = pathAbove(path);
  if (above === "") return runSpan(run);
  const attempt = /@(\d+)$/.exec(path.slice(0, path.lastIndexOf("/")))?.[1];
  return attemptSpan(run, above, Number(attempt ?? 1));
}
