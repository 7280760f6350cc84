/**
 * Questions of one piece of running work. The machine that owns the work puts them and sends the answers.
 *
 * I1. Every question settles once: with its answer, or as cancelled when the work is aborted or withdraws it.
 * I2. What was not asked, was answered already or is no longer wanted is dropped.
 */
import type { EventObject } from "xstate";
import type { PermissionQuestion, PermissionSettled, WorkAnswered, WorkAsks } from "../../machines/contracts.ts";

const NO_ANSWER: PermissionSettled = { outcome: "cancelled" };

export class WorkQuestions {
  readonly #name: string;
  readonly #tell: (event: WorkAsks) => Promise<void>;
  readonly #open = new Map<string, (settled: PermissionSettled) => void>();
  #asked = 0;
  /** `name` is distinct for every start of a machine's work: an answer to an older start finds no question. */
  constructor(name: string, tell: (event: WorkAsks) => Promise<void>) {
    this.#name = name;
    this.#tell = tell;
  }

  async ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionSettled> {
    if (signal.aborted) return NO_ANSWER;
    const ask = `${this.#name}.${++this.#asked}`;
    const settled = new Promise<PermissionSettled>((resolve) => this.#open.set(ask, resolve));
    const withdraw = (): void => {
      this.#settle(ask, NO_ANSWER);
      this.#tell({ type: "work.withdrew", ask }).catch(() => undefined);
    };
    signal.addEventListener("abort", withdraw, { once: true });
    try {
      await this.#tell({ type: "work.asked", ask, question });
      return await settled;
    } finally {
      this.#open.delete(ask);
      signal.removeEventListener("abort", withdraw);
    }
  }

  hear(event: EventObject): void {
    if (event.type !== "work.answered") return;
    const { ask, settled } = event as WorkAnswered;
    this.#settle(ask, settled);
  }

  #settle(ask: string, settled: PermissionSettled): void {
    this.#open.get(ask)?.(settled);
    this.#open.delete(ask);
  }
}
