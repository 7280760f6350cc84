/**
 * Any order of create, send, cancel, work and crash, by up to three hosts over one store: what the log says is what a
 * few lines of model say, and its seq has no gaps.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Delivery } from "../../../actors/host/host.ts";
import {
  ACCEPTED,
  type Actor,
  type Job,
  log,
  OWNING_STAGES,
  refusal,
  type Stage,
  until,
  words,
} from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";

/** `owner`: the host that runs the session's job, or none; a crash leaves it behind. */
type Session = { words: string[]; owner: Actor | null; cutOff: boolean; seen: Set<string> };
type Model = { sessions: Map<string, Session> };
type Real = { stage: Stage; hosts: Actor[] };
type Command = fc.AsyncCommand<Model, Real>;

async function check({ sessions }: Model, { hosts }: Real): Promise<void> {
  for (const [name, { words: expected }] of sessions) {
    const key = sessionKey(name);
    for (const { host } of hosts) {
      expect(words(host, key)).toEqual(expected);
      expect(log(host, key).map((row) => row.seq)).toEqual(expected.map((_, i) => i + 1));
      expect(host.head(key)).toBe(expected.length);
    }
  }
}
const jobOf = (owner: Actor, name: string): Job =>
  owner.jobs.all.findLast((job) => job.context.session === sessionKey(name))!;

/** One event to one session from one host; `effect` says what a session that takes it does. */
class Send implements Command {
  readonly #at: number;
  readonly #name: string;
  readonly #event: { type: string };
  readonly #dedupe: string | undefined;
  readonly #effect: (session: Session, actor: Actor) => boolean;
  constructor(
    at: number,
    name: string,
    event: { type: string },
    effect: (s: Session, a: Actor) => boolean,
    dedupe?: string,
  ) {
    this.#at = at;
    this.#name = name;
    this.#event = event;
    this.#effect = effect;
    this.#dedupe = dedupe;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const actor = real.hosts[this.#at]!;
    const started = actor.jobs.all.length;
    const dedupe = this.#dedupe;
    const answer = await actor.host.send(sessionKey(this.#name), this.#event, dedupe === undefined ? {} : { dedupe });
    const session = model.sessions.get(this.#name);
    const wasRunning = session?.owner != null;
    expect(answer).toEqual(this.#expected(session, actor));
    if (session?.owner === actor && !wasRunning) await actor.jobs.started(started);
    if (session !== undefined)
      await until(() => words(actor.host, sessionKey(this.#name)).length >= session.words.length);
    await check(model, real);
  }
  #expected(session: Session | undefined, actor: Actor): Delivery {
    if (session === undefined) return refusal("unknown");
    if (session.cutOff) {
      session.words.push("owner lost", "job failed: INTERRUPTED");
      session.cutOff = false;
    }
    if (session.owner !== null && session.owner !== actor) return refusal("owned");
    if (this.#dedupe !== undefined) {
      if (session.seen.has(this.#dedupe)) return ACCEPTED;
      session.seen.add(this.#dedupe);
    }
    return this.#effect(session, actor) ? ACCEPTED : refusal("refused");
  }
  toString = () => `host ${this.#at}: ${this.#name} ← ${JSON.stringify(this.#event)} ${this.#dedupe ?? ""}`;
}

class Create implements Command {
  readonly #at: number;
  readonly #name: string;
  constructor(at: number, name: string) {
    this.#at = at;
    this.#name = name;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const created = real.hosts[this.#at]!.host.create(sessionKey(this.#name), BIRTH);
    if (model.sessions.has(this.#name)) await expect(created).rejects.toThrow("already");
    else {
      await created;
      model.sessions.set(this.#name, { words: ["born"], owner: null, cutOff: false, seen: new Set() });
    }
    await check(model, real);
  }
  toString = () => `host ${this.#at}: create ${this.#name}`;
}

/** Something that the job of a session does. */
class Act implements Command {
  readonly #name: string;
  readonly #what: "finish" | "record" | "speak and finish";
  constructor(name: string, what: "finish" | "record" | "speak and finish") {
    this.#name = name;
    this.#what = what;
  }
  check = ({ sessions }: Readonly<Model>) => sessions.get(this.#name)?.owner != null;
  async run(model: Model, real: Real): Promise<void> {
    const session = model.sessions.get(this.#name)!;
    const owner = session.owner!;
    const job = jobOf(owner, this.#name);
    if (this.#what === "record") {
      job.context.record({ type: "notice", payload: { severity: "info", message: "a row" } });
      session.words.push("a row");
    } else {
      if (this.#what === "speak and finish") {
        job.context.text({ type: "message.assistant", block: "b" }).say("words");
        session.words.push("b@0:words");
      }
      job.done("x");
      session.words.push("job done: x");
      session.owner = null;
    }
    await until(() => owner.host.head(sessionKey(this.#name)) === session.words.length);
    await check(model, real);
  }
  toString = () => `${this.#name}: ${this.#what}`;
}

class Crash implements Command {
  readonly #at: number;
  constructor(at: number) {
    this.#at = at;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const dead = real.hosts[this.#at]!;
    dead.crash();
    real.hosts[this.#at] = real.stage.enter();
    for (const session of model.sessions.values())
      if (session.owner === dead) {
        session.owner = null;
        session.cutOff = true;
      }
    await check(model, real);
  }
  toString = () => `host ${this.#at}: crash`;
}

const note = (s: Session, text: string): boolean => s.words.push(text) > 0;
const work = (s: Session, actor: Actor): boolean => {
  if (s.owner !== null) return false;
  s.owner = actor;
  return true;
};
const cancel = (s: Session): boolean => {
  if (s.owner !== null) s.words.push("job failed: ABORTED");
  s.owner = null;
  return true;
};
const at = fc.nat({ max: 2 });
const name = fc.constantFrom("a", "b");
const text = fc.constantFrom("x", "y");
const commands = [
  fc.tuple(at, name).map(([h, n]) => new Create(h, n)),
  fc
    .tuple(at, name, text)
    .map(([h, n, t]) => new Send(h, n, { type: "note.taken", text: t } as never, (s) => note(s, t))),
  fc
    .tuple(at, name, text)
    .map(([h, n, t]) => new Send(h, n, { type: "note.taken", text: t } as never, (s) => note(s, t), t)),
  fc.tuple(at, name).map(([h, n]) => new Send(h, n, { type: "work.asked", label: n } as never, work)),
  fc.tuple(at, name).map(([h, n]) => new Send(h, n, { type: "cancel.requested" }, cancel)),
  fc
    .tuple(name, fc.constantFrom("finish" as const, "record" as const, "speak and finish" as const))
    .map(([n, w]) => new Act(n, w)),
  at.map((h) => new Crash(h)),
];

test.each(OWNING_STAGES)(
  "three hosts over one store agree with the model, %s",
  { timeout: 120_000 },
  async (_, open) => {
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 30, size: "max" }), async (cmds) => {
        const stage = open();
        try {
          const hosts = [stage.enter(), stage.enter(), stage.enter()];
          await fc.asyncModelRun(() => ({ model: { sessions: new Map() }, real: { stage, hosts } }), cmds);
        } finally {
          await stage.close();
        }
      }),
      { numRuns: 60 },
    );
  },
);
