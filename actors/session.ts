/** A handle on one session: what the facade lets a face ask of it. */
import { Observable } from "rxjs";
import type { Prompt } from "../machines/births.ts";
import { type Cursor, type Exchange, type Frame, START } from "../machines/exchange.ts";
import type { Key } from "../machines/model.ts";
import type { Recover } from "../machines/workflow/document.ts";
import { missingOf } from "./ask/missing.ts";
import { type AskHost, askFor, runAsk } from "./ask.ts";
import { TroupeError } from "./errors/troupe-error.ts";
import type { Follower, Missing, PromptRequest, Question, RunRequest, Session } from "./facade.ts";
import type { Delivery } from "./host/host.ts";
import { maskedError } from "./masking/errors.ts";
import { isAnswered, openQuestions } from "./questions.ts";
import type { Runtime } from "./runtime.ts";
import { titleOf } from "./sessions/title.ts";
import { isTrusted } from "./trust.ts";
import type { TurnEnd } from "./turns.ts";
import { watchStore } from "./watch.ts";

type Asks = Prompt["asks"];
/** The name of a secret that a prompt gave: the same in every process that knows the log. */
export const inputSecret = (turn: string, name: string): string => `input/${turn}/${name}`;

export class SessionHandle implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly #key: Key;
  readonly #runtime: Runtime;
  #run = "";
  #turnEnd: Promise<TurnEnd> | undefined;
  constructor(runtime: Runtime, id: string, cwd: string) {
    this.#runtime = runtime;
    this.id = id;
    this.cwd = cwd;
    this.#key = `session/${id}`;
  }

  head(): number {
    return this.#runtime.host.head(this.#key);
  }
  rows(after: number, limit: number): Exchange[] {
    return this.#runtime.host.rows(this.#key, after, limit);
  }
  follow(after: Cursor, push: (frames: readonly Frame[]) => void, { alone } = { alone: false }): Follower {
    const follower = this.#runtime.host.follow(this.#key, after, push);
    if (alone) return follower;
    const unwatch = watchStore(this.#runtime);
    return {
      pause: () => follower.pause(),
      resume: () => follower.resume(),
      close: () => {
        unwatch();
        follower.close();
      },
    };
  }
  log$(after: Cursor = START): Observable<readonly Frame[]> {
    return new Observable((subscriber) => {
      const follower = this.follow(after, (frames) => subscriber.next(frames));
      return () => follower.close();
    });
  }

  async missing(blocks: PromptRequest["blocks"]): Promise<Missing | null> {
    const { host, catalogue } = this.#runtime;
    // To a run that waits, any prompt is an answer.
    return host.read(this.#key)?.value === "idle" ? missingOf(catalogue, this.cwd, { blocks }) : null;
  }
  prompt(request: PromptRequest): Promise<{ turn: string }> {
    const { blocks } = request;
    return this.#turn(blocks, (learn) =>
      askFor(this.#runtime.catalogue, request, this.#place(), { ...this.#runtime.askHost, learn }),
    );
  }
  run({ workflow, inputs, consent }: RunRequest): Promise<{ turn: string }> {
    const text = [
      `/${workflow}`,
      ...Object.entries(inputs).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    ].join(" ");
    return this.#turn([{ type: "text", text }], (learn) =>
      runAsk(this.#runtime.catalogue, { workflow, inputs, consent }, this.#place(), {
        ...this.#runtime.askHost,
        learn,
      }),
    );
  }
  resume(recover: Recover): Promise<{ turn: string }> {
    return this.#turn([{ type: "text", text: "resume" }], async () => ({ type: "resume", recover }));
  }

  questions(): Question[] {
    const { host } = this.#runtime;
    return host.read(this.#key)?.value === "parked" ? openQuestions(host.store, this.#key) : [];
  }
  async answer(question: string, text: string): Promise<{ turn: string }> {
    const words = text.trim() === "" ? "" : text;
    const asks: Asks = { type: "answer", input: `input/${question}`, text: words };
    this.#refuseClosed(question);
    try {
      return await this.#turn([{ type: "text", text: words }], async () => asks);
    } catch (error) {
      this.#refuseClosed(question); // who answered first has won
      throw error;
    }
  }
  #refuseClosed(question: string): void {
    const { store } = this.#runtime.host;
    if (openQuestions(store, this.#key).some(({ input }) => input === question)) return;
    throw isAnswered(store, this.#key, question)
      ? new TroupeError("USER.FACADE.DUPLICATE_RESPONSE", "this question was answered already", { question })
      : new TroupeError("USER.FACADE.INPUT_REJECTED", "nothing waits for this answer: the question is not open", {
          question,
        });
  }

  async decide(permission: string, option: string | null): Promise<void> {
    const event = option === null ? { type: "asker.left" } : { type: "decision.made", option };
    const delivery = await this.#runtime.host.send(`permission/${permission}`, event);
    if (delivery.accepted) return;
    throw new TroupeError("USER.FACADE.INPUT_REJECTED", "this question is not open, or has no such answer", {
      permission,
      option,
    });
  }

  async cancel(): Promise<void> {
    const open = this.#runtime.turns.get(this.#key);
    if (open !== undefined) open.cancelled = true;
    await this.#runtime.host.send(this.#key, { type: "cancel.requested" });
  }
  async close(): Promise<void> {
    const ended = this.ended();
    await this.cancel();
    await ended?.catch(() => undefined);
  }
  /** The end of the turn in flight, if one of this process is. */
  ended(): Promise<TurnEnd> | undefined {
    return this.#runtime.turns.get(this.#key)?.ended;
  }

  /** The end of the turn that this handle started last; it may have ended already. */
  turnEnd(): Promise<TurnEnd> | undefined {
    return this.#turnEnd;
  }

  /** The id that was given to the run of that turn. */
  runId(): string {
    return this.#run;
  }

  #place(): { cwd: string; trusted: boolean } {
    const trusted =
      this.#runtime.options.environment["TROUPE_TRUST"] === "1" || isTrusted(this.#runtime.host.store, this.cwd);
    return { cwd: this.cwd, trusted };
  }

  /** Reserved before anything is awaited; durable when it resolves. */
  async #turn(
    blocks: PromptRequest["blocks"],
    asking: (learn: NonNullable<AskHost["learn"]>) => Promise<Asks>,
  ): Promise<{ turn: string }> {
    const { host, turns, options, mask } = this.#runtime;
    const turn = options.ids("turn");
    const open = turns.reserve(this.#key, turn);
    this.#turnEnd = open.ended;
    try {
      const asks = named(await asking((name, value) => mask.learn(inputSecret(turn, name), value)), () => {
        this.#run = options.ids("run");
        return this.#run;
      });
      const event = { type: "prompt.received", turn, title: titleOf(blocks, mask), blocks, asks };
      refuse(await host.send(this.#key, event), this.id);
    } catch (error) {
      turns.release(this.#key);
      throw maskedError(error, mask);
    }
    if (open.cancelled) await host.send(this.#key, { type: "cancel.requested" });
    return { turn };
  }
}

/** The run's id is chosen here, so that who asked knows it before it has begun. */
function named(asks: Asks, id: () => string): Asks {
  if (asks.type === "run") return { ...asks, run: asks.run ?? id() };
  return asks.type === "text" && asks.otherwise.type === "run"
    ? { ...asks, otherwise: { ...asks.otherwise, run: id() } }
    : asks;
}

function refuse(delivery: Delivery, session: string): void {
  if (delivery.accepted) return;
  switch (delivery.reason) {
    case "refused":
      throw new TroupeError(
        "USER.PROMPT.IN_FLIGHT",
        "a prompt of this session is still running: wait for its end or cancel it",
        { session },
      );
    case "owned":
      throw new TroupeError(
        "USER.SESSION.BUSY_ELSEWHERE",
        "another troupe process runs this session: follow it, or wait for its end",
        { session },
      );
    case "unknown":
      throw new TroupeError("USER.SESSION.UNKNOWN", "there is no such session", { session });
    default:
      delivery.reason satisfies never;
  }
}
