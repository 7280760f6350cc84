/**
 * What a session asks of an engine: the real machines in real cells, each event by a cell of its own. Nothing runs, and no
 * time passes: how long work takes is given, and stands in what comes out.
 */
import { MACHINES } from "../../actors/facade/machines.ts";
import type { Outcome, Post, WorkStart } from "../../actors/host/restate/protocol.ts";
import { success } from "../../actors/host/workers.ts";
import { NO_MASKING } from "../../actors/masking/masking.ts";
import { type AskField, opened } from "../../machines/ask/form.ts";
import type { Row } from "../../machines/exchange.ts";
import type { Kind } from "../../machines/model.ts";
import type { Workflow } from "../../machines/workflow/document.ts";
import { KeptSession } from "../support/cell.ts";
import { agent, ask, CONTEXT, OK, terminal, worked, workflow } from "../support/documents.ts";
import type { Machines } from "../support/host-machines.ts";

/** A commit. `after`: milliseconds from the one before it until it is asked for. `notes`: of lists. */
export type Deed = { after: number; by: "gateway" | "worker"; bytes: number; notes: number };
/** Of an agent's step: how long it works, how long of that it speaks, and so many letters a second. */
export type Speech = { workMs: number; speaksMs: number; lettersPerS: number };

/** What an agent says is kept four times a second. */
export const KEPT_MS = 250;
const QUESTION: AskField = { name: "q", prompt: "Well?", type: "string", required: true, validation: {} };

export class SimulatedSession {
  readonly kept = new KeptSession(NO_MASKING, Object.entries(MACHINES) as [Kind, never][] as Machines);
  readonly #deeds: Deed[] = [];
  #starts: WorkStart[] = [];
  #turns = 0;
  constructor() {
    this.kept.now = 1_000_000;
    this.#book({ after: 0, by: "gateway" }, this.kept.birth());
  }

  /** A prompt that runs a chain of agents, to its end. */
  chain(steps: number, speech: Speech): Deed[] {
    const nodes = Array.from({ length: steps }, (_, i) =>
      agent(`s${i}`, { onSuccess: i + 1 === steps ? "done" : `s${i + 1}` }),
    );
    this.#prompt(workflow([...nodes, terminal("done")]));
    for (let step = 0; step < steps; step++) this.#speak(speech, step === 0);
    return this.#taken();
  }
  /** A prompt whose run comes to wait for a person. */
  park(): Deed[] {
    this.#prompt(workflow([ask("a", [QUESTION as never], { onSuccess: "done" }), terminal("done")]));
    this.#end({ type: "form", form: opened([QUESTION], null) }, 0);
    return this.#taken();
  }
  /** And is answered: its run ends. */
  answer(): Deed[] {
    this.#prompt(workflow([terminal("done")]), true);
    return this.#taken();
  }
  /** All that an engine has to keep of it, each once. */
  get bytes(): number {
    const rows = [...this.kept.rows].reduce((sum, [name, row]) => sum + name.length + row.length, 0);
    return rows + this.kept.log.reduce((sum, { json }) => sum + json.length, 0);
  }

  #prompt(of: Workflow, isAnswer = false): void {
    const turn = `t${++this.#turns}`;
    const run = { type: "run", run: `r${turn}`, workflow: of, inputs: {}, env: {}, context: CONTEXT, trust: "trusted" };
    const asks = isAnswer ? { type: "text", otherwise: run } : run;
    const event = { type: "prompt.received", turn, blocks: [{ type: "text", text: "yes" }], asks };
    this.#book({ after: 0, by: "gateway" }, this.kept.send(event));
  }
  /** `isFirst`: of its turn; the session then learns where words can be heard. */
  #speak({ workMs, speaksMs, lettersPerS }: Speech, isFirst: boolean): void {
    const [start] = this.#starts;
    if (start === undefined) throw new Error("no step has begun");
    const pieces = Math.max(1, Math.round(speaksMs / KEPT_MS));
    const each = Math.max(2, Math.round((lettersPerS * KEPT_MS) / 1_000));
    const silence = workMs - speaksMs;
    if (isFirst) this.#work(silence, [], { live: { by: "w", url: "http://127.0.0.1:1", token: "t".repeat(32) } });
    for (let i = 0; i < pieces; i++) {
      const payload = { block: start.key, offset: i * each, text: "x".repeat(each) };
      const row = { type: "message.assistant", run: "r1", step: "s", payload } as unknown as Row;
      this.#work(i > 0 ? KEPT_MS : isFirst ? 0 : silence, [row]);
    }
    this.#end(worked(OK, "x".repeat(Math.min(4_096, pieces * each))), 0);
  }
  #work(after: number, rows: readonly Row[], more: object = {}): void {
    const kept = rows.map((row) => ({ row: JSON.stringify(row), at: this.kept.now }));
    this.#post(after, { rows: kept, event: null, ...more });
  }
  #end(output: unknown, after: number): void {
    const id = this.#starts[0]?.id ?? "";
    this.#post(after, { rows: [], event: JSON.stringify(success(id, output)) }, true);
  }
  #post(after: number, more: object, isEnd = false): void {
    const [start, ...others] = this.#starts;
    if (start === undefined) throw new Error("nothing works");
    if (isEnd) this.#starts = others;
    const { key, id, nonce } = start;
    const post = { is: "work", which: { key, id, nonce }, ...more } as Post;
    this.#book({ after, by: "worker" }, this.kept.take(post));
  }
  #book(deed: Pick<Deed, "after" | "by">, outcome: Outcome): void {
    if (outcome.reply.fault !== null || outcome.n === 0) throw new Error(`not taken: ${outcome.reply.fault}`);
    this.#starts.push(...outcome.starts);
    this.kept.now += deed.after;
    this.#deeds.push({ ...deed, bytes: JSON.stringify(outcome).length, notes: outcome.notes.length });
  }
  #taken(): Deed[] {
    return this.#deeds.splice(0);
  }
}
