/**
 * A run as a history: for each of its steps what was reported of it and at which row, so that the run can be shown as
 * it was at any row without being folded anew.
 *
 * I1. A step stands where the log first mentions it, once; steps of called workflows stand below the step that called.
 * I2. Rows come in the order of their seqs, each once; one that comes again is passed over.
 * I3. Of a text block no piece is held twice: a live chunk is dropped when the row that commits it has come.
 * I4. What a step said and did may be missing: of a history that began with an outline it is filled in step by step.
 */
import {
  type Exchange,
  type Frame,
  isLive,
  isText,
  type Live,
  type Row,
  type RowOf,
  type StepKind,
} from "../../machines/exchange.ts";
import { itemOf, pathAbove, roundOf } from "../../machines/naming/address.ts";
import { Names } from "../../machines/naming/names.ts";
import { StepUsage, type UsageSum, UsageTotal } from "../runs/usage.ts";

type At = { seq: number; at: number };
export type Ending<T extends "step.completed" | "run.completed"> = At & { said: RowOf<T>["payload"] };
/** `until`: null while it is open. */
export type StepPause = At & { type: "permission" | "input"; id: string; until: At | null };
export type StepHistory = At & {
  readonly address: string;
  readonly run: string;
  readonly path: string;
  readonly name: string;
  readonly kind: StepKind;
  readonly title: string;
  /** Of a loop, counted from 1, and what the round is about where that has a short name. */
  readonly round: number | null;
  readonly item: string | null;
  readonly above: StepHistory | null;
  readonly steps: StepHistory[];
  /** Its own rows, not those of steps below it; in the order of their seqs. */
  rows: Exchange[];
  /** I4: `part`: only the rows of an outline and those that have come since. */
  filled: "part" | "asked" | "whole";
  readonly tries: (At & { attempt: number; why: string })[];
  readonly waits: StepPause[];
  readonly used: { seq: number; sum: UsageSum }[];
  /** What was said and is not committed yet, by block. */
  readonly live: Map<string, { head: Live; text: string }>;
  readonly usage: StepUsage;
  readonly total: UsageTotal;
  end: Ending<"step.completed"> | null;
  calls: (At & { run: string; workflow: string }) | null;
};
/** A workflow that was run, by the run itself or by a step of it. */
export type RunBegun = At & { run: string; said: RowOf<"run.started">["payload"] };

/** `times`: of the row `firstSeq` and all behind it, in milliseconds after `startedAt`. */
export type OutlineSeen = { firstSeq: number; startedAt: number; times: readonly number[]; rows: readonly Exchange[] };
/** What these do stands in the rows of steps below them. */
const SILENT: ReadonlySet<StepKind> = new Set(["parallel", "for_each", "while", "call_workflow"]);

export class RunHistory {
  readonly run: string;
  readonly roots: StepHistory[] = [];
  /** In the order in which they began. */
  readonly steps: StepHistory[] = [];
  readonly begun = new Map<string, RunBegun>();
  readonly ended = new Map<string, Ending<"run.completed">>();
  readonly #nodes = new Map<string, StepHistory>();
  readonly #callers = new Map<string, StepHistory>();
  readonly #names = new Names();
  readonly #committed = new Map<string, number>();
  readonly #addresses = new Map<string, StepHistory>();
  readonly #times: number[] = [];
  #first = 1;
  /** While it reads an outline. */
  #isOutline = false;
  constructor(run: string) {
    this.run = run;
  }

  /** The seq of the first row. */
  get first(): number {
    return this.#first;
  }
  /** The seq of the last row; one below the first before there is any. */
  get head(): number {
    return this.#first + this.#times.length - 1;
  }
  /** The time of the last row up to a seq; 0 before the first. */
  timeAt(seq: number): number {
    return this.#times[Math.min(seq, this.head) - this.#first] ?? 0;
  }
  at(address: string): StepHistory | undefined {
    return this.#addresses.get(address);
  }
  /** The step that called a run. */
  callerOf(run: string): StepHistory | undefined {
    return this.#callers.get(run);
  }

  /** Begins with how the run went up to now (I4); what comes later is seen row by row. */
  outline({ firstSeq, startedAt, times, rows }: OutlineSeen): void {
    this.#first = firstSeq;
    this.#isOutline = true;
    for (const row of rows) this.#take(row);
    this.#isOutline = false;
    for (const time of times) this.#times.push(startedAt + time);
  }
  /** All of a step's own rows up to the last of these. */
  fill(step: StepHistory, rows: readonly Exchange[]): void {
    const held = new Map(step.rows.map((row) => [row.seq, row]));
    for (const row of rows) {
      held.set(row.seq, row);
      if (isText(row)) this.#commit(step, row);
    }
    step.rows = [...held.values()].sort((a, b) => a.seq - b.seq);
    step.filled = "whole";
  }

  see(frame: Frame): void {
    if (isLive(frame)) return this.#say(frame);
    const { seq, at } = frame;
    if (this.#times.length === 0) this.#first = seq;
    if (seq <= this.head || this.ended.has(this.run)) return;
    while (this.head < seq) this.#times.push(at);
    this.#take(frame);
  }

  #take(row: Exchange): void {
    this.#call(row);
    if (row.run !== this.run && !this.#callers.has(row.run ?? "")) return;
    const { seq, at, run = "" } = row;
    if (row.type === "run.started") this.begun.set(run, { seq, at, run, said: row.payload });
    if (row.type === "run.completed") this.ended.set(run, { seq, at, said: row.payload });
    if (row.type === "step.started") this.#start(row);
    const node = this.#nodes.get(keyOf(row));
    if (node === undefined) return;
    node.rows.push(row);
    this.#note(node, row);
  }

  #note(node: StepHistory, row: Exchange): void {
    const here = { seq: row.seq, at: row.at };
    switch (row.type) {
      case "step.retrying":
        node.tries.push({ ...here, attempt: row.payload.attempt, why: row.payload.reason.message });
        return node.usage.next();
      case "step.completed":
        node.end = { ...here, said: row.payload };
        for (const wait of node.waits) wait.until ??= here;
        return node.live.clear();
      case "permission.requested":
        return asked(node, { ...here, type: "permission", id: row.payload.permission, until: null });
      case "permission.resolved":
        return answered(node, row.payload.permission, here);
      case "input.required":
        return asked(node, { ...here, type: "input", id: row.payload.input, until: null });
      case "input.answered":
        answered(node, row.payload.input, here);
        return node.usage.next();
      case "usage.recorded":
        node.total.add(node.usage.see(row.payload));
        return void node.used.push({ seq: row.seq, sum: node.total.sum() });
      default:
        if (isText(row)) this.#commit(node, row);
    }
  }

  /** I1. */
  #call(row: Exchange): void {
    const { run = "", seq, at } = row;
    if (row.type === "step.call_workflow.started" && row.childRun !== undefined) {
      const node = this.#nodes.get(keyOf(row));
      if (node !== undefined) this.#called(node, { seq, at, run: row.childRun, workflow: row.payload.workflow });
    }
    if (row.type !== "run.started" || row.parentRun === undefined || this.#callers.has(run)) return;
    const node = this.#nodes.get(keyOf({ run: row.parentRun, step: row.parentStep ?? "" }));
    if (node !== undefined) this.#called(node, { seq, at, run, workflow: row.payload.workflow });
  }
  #called(node: StepHistory, calls: NonNullable<StepHistory["calls"]>): void {
    node.calls = calls;
    this.#callers.set(calls.run, node);
  }
  #start(row: Exchange<RowOf<"step.started">>): void {
    const { run = "", step: path = "", payload, seq, at } = row;
    if (this.#nodes.has(keyOf(row))) return;
    const caller = this.#callers.get(run);
    const above = this.#nodes.get(keyOf({ run, step: pathAbove(path) })) ?? caller ?? null;
    const { name, kind, title } = payload;
    const node: StepHistory = {
      ...{ seq, at, run, path, name, kind, title, above, address: this.#names.begin(row, above) },
      ...{
        round: roundOf(path),
        item: itemOf(payload.round),
        steps: [],
        rows: [],
        filled: this.#isOutline && !SILENT.has(kind) ? ("part" as const) : ("whole" as const),
        tries: [],
        waits: [],
        used: [],
        live: new Map(),
      },
      ...{ usage: new StepUsage(), total: new UsageTotal(), end: null, calls: null },
    };
    this.#nodes.set(keyOf(row), node);
    this.steps.push(node);
    if (!this.#addresses.has(node.address)) this.#addresses.set(node.address, node);
    (above?.steps ?? this.roots).push(node);
  }

  /** I3. */
  #say(chunk: Live): void {
    const node = this.#nodes.get(keyOf(chunk));
    if (node === undefined || node.end !== null) return;
    const { block, offset, text } = chunk.payload;
    const held = node.live.get(block);
    // The log has what comes before it; that is filled in when a reader looks.
    if (node.filled !== "whole" && !this.#committed.has(blockOf(chunk))) this.#committed.set(blockOf(chunk), offset);
    const shown = (this.#committed.get(blockOf(chunk)) ?? 0) + (held?.text.length ?? 0);
    if (offset > shown || offset + text.length <= shown) return;
    node.live.set(block, { head: chunk, text: (held?.text ?? "") + text.slice(shown - offset) });
  }
  #commit(node: StepHistory, row: Exchange & Pick<Live, "payload">): void {
    const { block, offset, text } = row.payload;
    const id = blockOf(row);
    const before = this.#committed.get(id) ?? 0;
    const now = Math.max(before, offset + text.length);
    this.#committed.set(id, now);
    const held = node.live.get(block);
    if (held === undefined) return;
    held.text = held.text.slice(now - before);
    if (held.text === "") node.live.delete(block);
  }
}

/** One that is open is written again after a crash, and when another viewer is asked. */
function asked(node: StepHistory, wait: StepPause): void {
  if (!node.waits.some(({ id, until }) => id === wait.id && until === null)) node.waits.push(wait);
}
function answered(node: StepHistory, id: string, here: At): void {
  const wait = node.waits.find((one) => one.id === id);
  if (wait !== undefined) wait.until ??= here;
}
const keyOf = ({ run = "", step = "" }: Pick<Row, "run" | "step">): string => `${run} ${step}`;
const blockOf = (row: Pick<Live, "run" | "payload">): string => `${row.run ?? ""} ${row.payload.block}`;
