/**
 * The rows of an agent step as a script that the understudy replays.
 *
 * I1. Replayed in the same folder, a script leaves the rows that it was made of, but for ids, `seq` and times. Text that
 *     the log holds in several rows is said at once.
 * I2. One turn for each attempt, also one that mends an answer or replies. What a person was asked about a tool is not part
 *     of it, the call that followed is; nor is what Troupe itself tells of the step.
 * I3. Paths in the session's folder are relative, so that the script plays elsewhere.
 */
import type { Block, Exchange, Location, TextPayload, ToolFields } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import { type Address, isMeant, textOf } from "../../machines/naming/address.ts";
import { Places } from "../../machines/naming/places.ts";

type ScriptEntry = { [kind: string]: Json };
type RecordedTurn = { play: ScriptEntry[] };
export type RecordedScript = { turns: RecordedTurn[] };

const CLASS = "EXECUTION.AGENT.";
/** What a script replaces by its inputs. */
const FILLED = /(?<=\{)(?=\{(?:prompt|attempt|system|model|effort)\}\})/;

export type AgentStep = { path: string; address: Address };
/** The steps of this run that an agent did, and of the runs that it called (`call/step`), in the order of their start. */
export function agentSteps(rows: readonly Exchange[], run: string): AgentStep[] {
  const names = new Places();
  for (const row of rows) names.see(row);
  return [...agentPlaces(rows, run)].map(([path, place]) => ({ path, address: names.of(place.run, place.step) }));
}

/** By its path, which names one for sure, or as `troupe status` names it. */
export function meantBy(step: string, steps: readonly AgentStep[]): AgentStep[] {
  const exact = steps.filter(({ path }) => path === step);
  return exact.length > 0 ? exact : steps.filter(({ address }) => isMeant(address, step));
}

/** A call that was tried again has steps of one address: their paths tell them apart. */
export function namesOf(steps: readonly AgentStep[]): string {
  const known = steps.map(({ address }) => textOf(address));
  const names = known.map((text, index) =>
    known.indexOf(text) === known.lastIndexOf(text) ? text : steps[index]?.path,
  );
  return names.join(", ");
}

/** The script of one of them. */
export function scriptOf(rows: readonly Exchange[], run: string, path: string): RecordedScript {
  const [opened] = rows;
  const place = agentPlaces(rows, run).get(path) ?? { run, step: path };
  const taker = new Taker(place.step, opened?.type === "session.opened" ? opened.payload.cwd : null);
  for (const row of rows) if (row.run === place.run && row.step === place.step) taker.take(row);
  return { turns: taker.turns };
}

function agentPlaces(rows: readonly Exchange[], run: string): Map<string, { run: string; step: string }> {
  const places = new Map<string, { run: string; step: string }>();
  /** What stands before the paths of a run's steps; a call that is tried again is `call@2`. */
  const prefixes = new Map([[run, ""]]);
  const calls = new Map<string, number>();
  for (const row of rows) {
    const prefix = prefixes.get(row.run ?? "");
    if (prefix === undefined || row.run === undefined) continue;
    const path = prefix + (row.step ?? "");
    if (row.type === "step.call_workflow.started" && row.childRun !== undefined) {
      const count = (calls.get(path) ?? 0) + 1;
      calls.set(path, count);
      prefixes.set(row.childRun, count === 1 ? `${path}/` : `${path}@${count}/`);
    }
    if (row.type === "step.started" && row.payload.kind === "agent" && !places.has(path))
      places.set(path, { run: row.run, step: row.step ?? row.payload.name });
  }
  return places;
}

/** What an agent tells of its use; the rest of the row is Troupe's own, such as where a price comes from. */
const TOLD = ["inputTokens", "outputTokens", "totalTokens", "used", "size", "cost"];
const usedIn = (payload: { [name: string]: Json }): Json =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => TOLD.includes(name)));

const idIn = (payload: { block?: unknown; call?: unknown }): string =>
  [payload.call, payload.block].find((id): id is string => typeof id === "string") ?? "";

class Taker {
  readonly turns: RecordedTurn[] = [];
  readonly #step: string;
  readonly #cwd: string | null;
  #open: RecordedTurn | null = null;
  /** The block that the last action says. */
  #block: string | null = null;
  /** What the ids of the attempt begin with, once it has shown one. */
  #attempt: string | null = null;

  constructor(step: string, cwd: string | null) {
    this.#step = step;
    this.#cwd = cwd;
  }

  take(row: Exchange): void {
    this.#turnTo(this.#attemptIn(row.payload));
    switch (row.type) {
      case "message.assistant":
        return this.#say("say", row.payload);
      case "message.thought":
        return this.#say("think", row.payload);
      case "tool.call":
      case "tool.result":
        return this.#add({ call: this.#called(row.payload) });
      case "tool.update":
        if ("block" in row.payload) this.#add({ output: this.#output(row.payload) });
        else this.#add({ call: this.#called(row.payload) });
        return;
      case "usage.recorded":
        return this.#add({ usage: usedIn(row.payload as { [name: string]: Json }) });
      case "notice":
        if (row.payload.code !== undefined) return;
        return this.#add({ notice: { severity: row.payload.severity, message: row.payload.message } });
      case "step.retrying":
        return this.#end(row.payload.reason);
      case "step.completed":
        if (row.payload.status === "cancelled") this.#add({ wait: "until cancelled" });
        return this.#end(row.payload.error ?? null);
      default:
        return;
    }
  }

  /** The log's ids begin with step and attempt; null where a row has none. */
  #attemptIn(payload: object): string | null {
    const [, attempt = null] = /^(@\d+\.)/.exec(idIn(payload).slice(this.#step.length)) ?? [];
    return attempt;
  }
  /** Not each attempt begins with a row of its own. */
  #turnTo(attempt: string | null): void {
    if (attempt === null || attempt === this.#attempt) return;
    if (this.#attempt !== null && this.#open !== null) this.#end(null);
    this.#attempt = attempt;
  }

  #add(action: ScriptEntry): void {
    this.#block = null;
    this.#playing().push(action);
  }
  #playing(): ScriptEntry[] {
    if (this.#open === null) {
      this.#open = { play: [] };
      this.turns.push(this.#open);
    }
    return this.#open.play;
  }

  #say(kind: "say" | "think", { block, text }: TextPayload): void {
    const play = this.#playing();
    const last = play.at(-1)?.[kind];
    const whole = block === this.#block && typeof last === "string" ? last + text : text;
    if (whole !== text) play.pop();
    for (const piece of whole.split(FILLED)) play.push({ [kind]: piece });
    this.#block = block;
  }

  #output({ call, text }: TextPayload): Json {
    return { call: this.#idOf(call ?? ""), text };
  }

  #called({ call, content, locations, ...fields }: ToolFields): Json {
    const told: { [name: string]: Json } = { id: this.#idOf(call), ...(fields as { [name: string]: Json }) };
    if (content !== undefined) told["content"] = content.map((block) => this.#placedBlock(block));
    if (locations !== undefined) told["locations"] = locations.map((one) => this.#placed(one));
    return told;
  }
  #placedBlock(block: Block): Json {
    return block.type === "diff" ? this.#placed(block) : { ...block };
  }
  #placed<T extends Location | Extract<Block, { type: "diff" }>>(one: T): T {
    const inside = this.#cwd === null ? null : `${this.#cwd}/`;
    return inside !== null && one.path.startsWith(inside) ? { ...one, path: one.path.slice(inside.length) } : one;
  }

  #idOf(call: string): string {
    return call.startsWith(`${this.#step}@`) ? call.slice(call.indexOf(".", this.#step.length) + 1) : call;
  }

  #end(fault: { code: string; message: string } | null): void {
    const name = fault?.code.startsWith(CLASS) === true ? fault.code.slice(CLASS.length).toLowerCase() : null;
    // What comes of an answer, such as that it is no JSON, comes of it again.
    if (fault !== null && name !== null && name !== "invalid_output") {
      this.#add({ fail: { class: name, message: fault.message } });
    }
    // An attempt that left no row is a turn all the same.
    this.#playing();
    this.#open = null;
    this.#block = null;
  }
}
