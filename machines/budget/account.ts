/**
 * What was spent, as a pure function of the log: over a run with all that it calls, or over one step with all below it.
 *
 * I1. It is counted from rows alone: what was committed before a crash counts after it, and nothing counts twice.
 * I2. Of one turn the last report takes the place of those before it; turns, steps and called runs add up.
 * I3. What has no price is named, and never counted as free. A turn that reported no tokens counts by its text.
 * I4. Time is that in which a step works; side by side it passes once. Where a person is asked, where a
 *     provider lets nobody in, where nothing of the session runs, and between a crash and a resume, none passes.
 */
import type { Exchange, Row } from "../exchange.ts";
import { type Held, heldId, type LimitName } from "./budget.ts";

/** The rows that count. */
export const COUNTED: readonly Row["type"][] = [
  ...(["run.started", "turn.started", "turn.completed", "step.started", "step.completed"] as const),
  ...(["permission.requested", "permission.resolved", "input.required", "input.answered"] as const),
  ...(["usage.recorded", "budget.noted", "message.assistant", "message.thought"] as const),
];
export type Spent = { readonly [name in LimitName]: number };
/** What a person, or a file, has given beyond a limit: up to how much, or that what has no price is let go on. */
export type Raisable = LimitName | "unpriced";

type Place = { run: string; step: string };
/** A turn of an agent. `reported`: its last row of usage; one without tokens tells what the context holds, or the cost. */
type Reported = { tokens: number | null; costUsd: number; unpriced: string | null };
type Turn = Place & { letters: number; reported: Reported | null };
type Period = Place & { from: number; to: number };
/** A step that has begun and not ended. `since`: null while it does not work. `asked`: the open questions, by their ids. */
type Open = Place & { since: number | null; asked: Set<string>; isStopped: boolean };

const LEAVES: readonly string[] = ["command", "agent", "operation"];
const LOST = "SYSTEM.PROCESS.LOST";
/** So many letters stand for a token where none was told. */
const LETTERS_A_TOKEN = 4;

export class Account {
  readonly #above = new Map<string, Place>();
  readonly #turns: Turn[] = [];
  readonly #turnOf = new Map<string, Turn>();
  readonly #periods: Period[] = [];
  readonly #open = new Map<string, Open>();
  readonly #raised = new Map<string, number>();
  readonly #warned = new Set<string>();
  readonly #seen = new Set<string>();
  #last = 0;

  /** The next row of the log, in its order. */
  see(row: Exchange): void {
    const place = { run: row.run ?? "", step: row.step ?? "" };
    const key = `${place.run} ${place.step}`;
    switch (row.type) {
      case "run.started":
        if (row.parentRun !== undefined) this.#above.set(place.run, { run: row.parentRun, step: row.parentStep ?? "" });
        break;
      case "step.started":
        if (LEAVES.includes(row.payload.kind))
          this.#open.set(key, { ...place, since: row.at, asked: new Set(), isStopped: false });
        break;
      case "step.completed":
        this.#rest(this.#open.get(key), row.at);
        this.#open.delete(key);
        break;
      case "permission.requested":
        this.#ask(this.#open.get(key), row.payload.permission, row.at);
        break;
      case "input.required":
        this.#ask(this.#open.get(key), row.payload.input, row.at);
        break;
      case "permission.resolved":
        this.#answer(this.#open.get(key), row.payload.permission, row.at);
        break;
      case "input.answered":
        this.#answer(this.#open.get(key), row.payload.input, row.at);
        break;
      case "turn.completed": {
        // The row was written when the loss was noticed; nothing ran since the row before it.
        const at = row.payload.error?.code === LOST ? this.#last : row.at;
        for (const open of this.#open.values()) this.#rest(open, at);
        break;
      }
      case "turn.started":
        for (const open of this.#open.values()) this.#work(open, row.at);
        break;
      case "usage.recorded": {
        const { inputTokens, outputTokens, totalTokens, cost, unpriced } = row.payload;
        const parts =
          inputTokens === undefined && outputTokens === undefined ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
        const isUsd = cost?.currency === "USD";
        const other = cost === undefined || isUsd ? null : `what is charged in ${cost.currency}`;
        const name =
          typeof unpriced === "string" ? unpriced : cost === undefined ? "an agent that tells no cost" : other;
        this.#turn(key, place).reported = {
          tokens: totalTokens ?? parts,
          costUsd: isUsd ? cost.amount : 0,
          unpriced: name,
        };
        break;
      }
      case "message.assistant":
      case "message.thought":
        this.#turn(key, place).letters += row.payload.text.length;
        break;
      case "budget.noted":
        this.#note(row.payload, key, place, row.at);
        break;
    }
    this.#last = row.at;
  }

  /** Whether the log has the turn of this id. */
  has(turn: string): boolean {
    return this.#seen.has(turn);
  }
  /** How far a limit of a budget was raised; undefined where it was not. */
  raised(held: Held, limit: Raisable): number | undefined {
    return this.#raised.get(`${heldId(held)} ${limit}`);
  }
  isWarned(held: Held, limit: LimitName): boolean {
    return this.#warned.has(`${heldId(held)} ${limit}`);
  }

  /** What is spent of a budget at that time. `turns`: of those that the log does not have yet. */
  spent(held: Pick<Held, "run" | "step">, now: number): Spent {
    const turns = this.#turns.filter((turn) => this.#isWithin(turn, held));
    const sum = (of: (turn: Turn) => number): number => turns.reduce((total, turn) => total + of(turn), 0);
    return {
      costUsd: Number(sum(({ reported }) => reported?.costUsd ?? 0).toFixed(9)),
      tokens: sum(tokensOf),
      agentTurns: turns.length,
      timeMs: this.#time(held, now),
    };
  }
  /** What was used within a budget and has no price. */
  unpriced(held: Pick<Held, "run" | "step">): string[] {
    const names = this.#turns.flatMap((turn) => {
      const { reported } = turn;
      if (reported === null || reported.unpriced === null || tokensOf(turn) === 0) return [];
      return this.#isWithin(turn, held) ? [reported.unpriced] : [];
    });
    return [...new Set(names)];
  }

  #note(note: Extract<Exchange, { type: "budget.noted" }>["payload"], key: string, place: Place, at: number): void {
    const open = this.#open.get(key);
    switch (note.is) {
      case "turn": {
        this.#seen.add(note.turn);
        const turn = { ...place, letters: 0, reported: null };
        this.#turns.push(turn);
        this.#turnOf.set(key, turn);
        if (open !== undefined) open.isStopped = false;
        return this.#work(open, at);
      }
      case "held":
        this.#forget(key);
        return this.#rest(open, at);
      case "stopped":
        if (open !== undefined) open.isStopped = true;
        return this.#rest(open, at);
      case "warned":
        this.#warned.add(`${note.budget} ${note.limit}`);
        return;
      case "raised": {
        const name = `${note.budget} ${note.limit}`;
        this.#raised.set(name, Math.max(this.#raised.get(name) ?? 0, note.to));
        return;
      }
      default:
        return note satisfies never;
    }
  }
  /** A turn that was let begin and did not. */
  #forget(key: string): void {
    const turn = this.#turnOf.get(key);
    if (turn === undefined || turn.reported !== null || turn.letters > 0) return;
    this.#turns.splice(this.#turns.indexOf(turn), 1);
    this.#turnOf.delete(key);
  }
  /** The turn that a row belongs to; one of a step that no budget held then is counted too. */
  #turn(key: string, place: Place): Turn {
    const known = this.#turnOf.get(key);
    if (known !== undefined) return known;
    const turn: Turn = { ...place, letters: 0, reported: null };
    this.#turns.push(turn);
    this.#turnOf.set(key, turn);
    return turn;
  }

  /** One question has several rows where it is put again, and one answer. */
  #ask(open: Open | undefined, question: string, at: number): void {
    open?.asked.add(question);
    this.#rest(open, at);
  }
  #answer(open: Open | undefined, question: string, at: number): void {
    open?.asked.delete(question);
    this.#work(open, at);
  }
  #work(open: Open | undefined, at: number): void {
    if (open !== undefined && open.asked.size === 0 && !open.isStopped) open.since ??= at;
  }
  #rest(open: Open | undefined, at: number): void {
    if (open === undefined || open.since === null) return;
    const { run, step, since } = open;
    this.#periods.push({ run, step, from: since, to: Math.max(since, at) });
    open.since = null;
  }

  #time(held: Pick<Held, "run" | "step">, now: number): number {
    const open = [...this.#open.values()].flatMap(({ run, step, since }) =>
      since === null ? [] : [{ run, step, from: since, to: Math.max(since, now) }],
    );
    const within = [...this.#periods, ...open].filter((period) => this.#isWithin(period, held));
    let total = 0;
    let until = Number.NEGATIVE_INFINITY;
    for (const { from, to } of within.toSorted((one, other) => one.from - other.from)) {
      total += Math.max(0, to - Math.max(from, until));
      until = Math.max(until, to);
    }
    return total;
  }

  #isWithin(place: Place, held: Pick<Held, "run" | "step">): boolean {
    for (let at: Place | undefined = place; at !== undefined; at = this.#above.get(at.run))
      if (at.run === held.run) return held.step === null || isBelow(at.step, held.step);
    return false;
  }
}

const tokensOf = ({ reported, letters }: Turn): number => reported?.tokens ?? Math.ceil(letters / LETTERS_A_TOKEN);

/** A step, one below it, or one of a later attempt of it. */
const isBelow = (path: string, top: string): boolean =>
  path === top || path.startsWith(`${top}/`) || path.startsWith(`${top}@`);

export function accountOf(rows: Iterable<Exchange>): Account {
  const account = new Account();
  for (const row of rows) account.see(row);
  return account;
}
