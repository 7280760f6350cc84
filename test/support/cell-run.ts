/** A session that is run by cells alone, as workers of an engine would: its jobs end, its timers fire, when told. */
import type { Outcome, WorkStart } from "../../actors/host/restate/protocol.ts";
import { failure, success } from "../../actors/host/workers.ts";
import { KeptSession } from "./cell.ts";

type Due = Outcome["timers"][number];

export class CellRun {
  readonly kept = new KeptSession();
  #running: WorkStart[] = [];
  #timers: Due[] = [];
  constructor() {
    this.kept.now = 1_000_000;
    this.kept.birth();
  }

  send(event: object): Outcome["reply"]["delivery"] {
    return this.#book(this.kept.send(event)).reply.delivery;
  }
  /** Ends the n-th job of those that run, counted around. */
  end(n: number, code: string | null): void {
    const job = this.#running[n % Math.max(1, this.#running.length)];
    if (job !== undefined) this.#end(job, code);
  }
  advance(ms: number): void {
    const until = this.kept.now + ms;
    for (;;) {
      const next = this.#timers.filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#timers.splice(this.#timers.indexOf(next), 1);
      this.kept.now = Math.max(this.kept.now, next.due);
      const { key, id, due } = next;
      this.#book(this.kept.take({ is: "due", key, id, due }));
    }
    this.kept.now = until;
  }

  #end(job: WorkStart, code: string | null): void {
    this.#running = this.#running.filter((one) => one !== job);
    const event = code === null ? success(job.id, "ok") : failure(job.id, { code, message: code });
    const { key, id, nonce } = job;
    this.#book(this.kept.take({ is: "work", which: { key, id, nonce }, rows: [], event: JSON.stringify(event) }));
  }
  #book(outcome: Outcome): Outcome {
    this.#running.push(...outcome.starts);
    this.#timers.push(...outcome.timers);
    const { rows } = this.kept;
    const isAwaited = ({ key, id, nonce }: WorkStart): boolean =>
      (JSON.parse(rows.get(`work ${key} ${id}`) ?? "{}") as { nonce?: number }).nonce === nonce;
    this.#running = this.#running.filter(isAwaited);
    // Work hears of it in the order in which it was told, and ends then.
    for (const name of [...rows.keys()].filter((one) => one.startsWith("orders "))) {
      const job = this.#running.find(({ key, id, nonce }) => name === `orders ${key} ${id} ${nonce}`);
      if (job !== undefined) this.#end(job, "ABORTED");
    }
    return outcome;
  }
}
