/**
 * Virtual time, and machines in it: each has cores, and processes that share them.
 *
 * I1. What is due at one time happens in the order in which it was asked for: one seed, one course.
 * I2. A process takes what it is given in order, on so many cores at once as it can use. Processes take turns.
 */

/** What happens at its time. */
export class Timeline {
  now = 0;
  #asked = 0;
  readonly #heap: { at: number; n: number; act: () => void }[] = [];

  after(ms: number, act: () => void): void {
    const heap = this.#heap;
    const item = { at: this.now + ms, n: this.#asked++, act };
    let i = heap.push(item) - 1;
    while (i > 0) {
      const above = (i - 1) >> 1;
      if (!isBefore(item, heap[above]!)) break;
      heap[i] = heap[above]!;
      i = above;
    }
    heap[i] = item;
  }
  /** Until that time, or until nothing is left. */
  run(until = Number.POSITIVE_INFINITY): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= until; next = this.#heap[0]) {
      this.#pop();
      this.now = next.at;
      next.act();
    }
    if (until !== Number.POSITIVE_INFINITY) this.now = until;
  }
  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let below = 2 * i + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++;
      if (!isBefore(heap[below]!, last)) break;
      heap[i] = heap[below]!;
      i = below;
    }
    heap[i] = last;
  }
}
type Timed = { at: number; n: number };
const isBefore = (a: Timed, b: Timed): boolean => a.at < b.at || (a.at === b.at && a.n < b.n);

type Piece = { ms: number; done: () => void };

/** One process of a machine. */
class Process {
  readonly width: number;
  running = 0;
  #pieces: Piece[] = [];
  #first = 0;
  constructor(width: number) {
    this.width = width;
  }
  get waiting(): number {
    return this.#pieces.length - this.#first;
  }
  push(piece: Piece): void {
    this.#pieces.push(piece);
  }
  shift(): Piece {
    const piece = this.#pieces[this.#first++]!;
    if (this.#first > 1_000 && this.#first * 2 > this.#pieces.length) {
      this.#pieces = this.#pieces.slice(this.#first);
      this.#first = 0;
    }
    return piece;
  }
}

export const PROCESSES = ["node", "worker", "gateway"] as const;
export type ProcessName = (typeof PROCESSES)[number];

export class Machine {
  used = 0;
  readonly #time: Timeline;
  readonly #processes: Record<ProcessName, Process>;
  readonly #cores: number;
  #busy = 0;
  #turn = 0;
  constructor(time: Timeline, { cores }: { cores: number }) {
    this.#time = time;
    this.#cores = cores;
    // Ours have one thread each.
    this.#processes = { node: new Process(cores), worker: new Process(1), gateway: new Process(1) };
  }

  /** So much processor time; `done` when it is over. */
  give(name: ProcessName, ms: number, done: () => void): void {
    this.#processes[name].push({ ms, done });
    this.#begin();
  }

  /** I2. */
  #begin(): void {
    for (let tried = 0; tried < PROCESSES.length && this.#busy < this.#cores; ) {
      const process = this.#processes[PROCESSES[this.#turn++ % PROCESSES.length]!];
      if (process.waiting === 0 || process.running >= process.width) {
        tried++;
        continue;
      }
      tried = 0;
      const { ms, done } = process.shift();
      this.#busy++;
      process.running++;
      this.used += ms;
      this.#time.after(ms, () => {
        this.#busy--;
        process.running--;
        done();
        this.#begin();
      });
    }
  }
}
