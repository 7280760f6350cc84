/** The facade and the library's public API: the only door through which a face reaches the runtime. */
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { idOf, type Key } from "../machines/model.ts";
import { type Clock, systemClock } from "./clock.ts";
import { TroupeError } from "./errors/troupe-error.ts";
import type {
  AnswerOptions,
  HistoryQuery,
  ResumeOptions,
  Run,
  RunRecord,
  RunRequest,
  RunResult,
  Session,
  SessionPage,
  SessionQuery,
  Troupe,
  Validation,
  WorkflowSummary,
} from "./facade.ts";
import type { Inspect } from "./host/interpret.ts";
import type { Durability } from "./host/store.ts";
import { type Ids, randomIds } from "./ids.ts";
import type { Mask } from "./masking/masking.ts";
import type { Environment } from "./paths.ts";
import { lastAnswer } from "./questions.ts";
import { findRun, listRuns } from "./records.ts";
import { notAsked, parked, resultOf } from "./results.ts";
import { openRuntime, type Runtime } from "./runtime.ts";
import { inputSecret, SessionHandle } from "./session.ts";
import { listSessions } from "./sessions/list.ts";
import { removeSession } from "./sessions/remove.ts";
import { isTrusted } from "./trust.ts";

export type {
  Block,
  Cursor,
  ErrorFields,
  Exchange,
  Frame,
  Live,
  PermissionOption,
  Row,
  RowOf,
  StopReason,
} from "../machines/exchange.ts";
export type { Fault, Json, Outcome, Status } from "../machines/model.ts";
export type { Input, Recover, Workflow } from "../machines/workflow/document.ts";
export type { Finding } from "../machines/workflow/finding.ts";
export { facesOf } from "./errors/codes.ts";
export { TroupeError, troupeError } from "./errors/troupe-error.ts";
export type * from "./facade.ts";
export type { Inspect, Inspection } from "./host/interpret.ts";
export { type Mask, Masking, NO_MASKING } from "./masking/masking.ts";

export type TroupeOptions = {
  environment?: Environment;
  clock?: Clock;
  ids?: Ids;
  /** Numbers in [0, 1) for the jitter of retries. */
  random?: () => number;
  /** `full` also survives a power cut, at the cost of a disk flush per tick. */
  durability?: Durability;
  /** Hears XState's inspection events of every durable machine. */
  inspect?: Inspect;
  /** Keeps secrets out of all that is written, shown and sent; by default those of the environment and of inputs. */
  mask?: Mask;
};

/** Makes a Troupe. The store is opened by the first call that needs it. */
export function createTroupe(options: TroupeOptions = {}): Troupe {
  return new EmbeddedTroupe(options);
}

class EmbeddedTroupe implements Troupe {
  readonly #options: TroupeOptions;
  #runtime: Runtime | undefined;
  #closed: Promise<void> | undefined;
  constructor(options: TroupeOptions) {
    this.#options = options;
  }

  list(cwd: string): Promise<WorkflowSummary[]> {
    return this.#open().catalogue.list(cwd);
  }
  validate(cwd: string, identifier: string): Promise<Validation> {
    return this.#open().catalogue.validate(cwd, identifier);
  }
  async status(run: string): Promise<RunRecord> {
    const { host, isOwnerAlive } = this.#open();
    const record = findRun(host.store, run, isOwnerAlive);
    if (record === null)
      throw new TroupeError("USER.RUN.NOT_FOUND", `there is no run "${run}": see troupe history`, { run });
    return record;
  }
  async history(query: HistoryQuery = {}): Promise<RunRecord[]> {
    const { host, isOwnerAlive, options } = this.#open();
    return listRuns(host.store, query, isOwnerAlive, options.clock.now());
  }
  async isTrusted(cwd: string): Promise<boolean> {
    return isTrusted(this.#open().host.store, directory(cwd));
  }

  async session({ cwd }: { cwd: string }): Promise<Session> {
    return await this.#create(directory(cwd));
  }
  async open(id: string): Promise<Session> {
    return this.#find(id);
  }
  async sessions(query: SessionQuery = {}): Promise<SessionPage> {
    const { host, user, options, isOwnerAlive } = this.#open();
    return listSessions(query, {
      store: host.store,
      principal: user,
      now: options.clock.now(),
      isAlive: isOwnerAlive,
    });
  }
  async deleteSession(id: string): Promise<void> {
    const { host, releases, swept } = this.#open();
    const session = this.#lookUp(id);
    if (session === null) return;
    await removeSession(session, { host, released: (key) => releases.next(key) });
    await swept();
  }
  async run({ cwd, ...request }: RunRequest & { cwd: string }): Promise<Run> {
    const session = await this.#create(directory(cwd));
    await session.run(request);
    return this.#handle(session);
  }
  async resume(run: string, { recover, inputs = {} }: ResumeOptions): Promise<Run> {
    const record = await this.status(run);
    if (!record.resumable) {
      throw new TroupeError(
        "USER.RUN.NOT_RESUMABLE",
        `run "${run}" is ${record.status}: only an interrupted or a parked run can be resumed`,
        { run, status: record.status },
      );
    }
    await this.#open().swept();
    const session = this.#find(record.session);
    learnAgain(session, run, inputs, this.#open().mask);
    if (record.status === "parked") return this.#handle(session, run, Promise.resolve(parked(record)));
    await session.resume(recover);
    return this.#handle(session, run);
  }
  async answer(run: string, { text, question, inputs = {} }: AnswerOptions): Promise<Run> {
    const record = await this.status(run);
    const session = this.#find(record.session);
    const asked = question ?? record.questions[0]?.input;
    if (asked === undefined) throw notAsked(record, lastAnswer(this.#open().host.store, `session/${record.session}`));
    learnAgain(session, run, inputs, this.#open().mask);
    await session.answer(asked, text);
    return this.#handle(session, run);
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }
  async #end(): Promise<void> {
    const runtime = this.#runtime;
    if (runtime === undefined) return;
    await Promise.all(runtime.turns.sessions.map((key) => this.#find(idOf(key)).close()));
    await runtime.swept();
    await runtime.host.stop();
    runtime.guard.dismiss();
  }

  #open(): Runtime {
    if (this.#closed !== undefined) throw new TroupeError("USER.FACADE.SESSION_CLOSED", "this Troupe is closed");
    const {
      environment = process.env,
      clock = systemClock,
      ids = randomIds,
      random = Math.random,
      durability = "normal",
      inspect,
      mask,
    } = this.#options;
    this.#runtime ??= openRuntime({
      environment,
      clock,
      ids,
      random,
      durability,
      ...(inspect ? { inspect } : {}),
      ...(mask ? { mask } : {}),
    });
    return this.#runtime;
  }
  async #create(cwd: string): Promise<SessionHandle> {
    const runtime = this.#open();
    const id = runtime.options.ids("session");
    await runtime.host.create(`session/${id}`, { cwd, principal: runtime.user });
    return new SessionHandle(runtime, id, cwd);
  }
  #find(id: string): SessionHandle {
    const session = this.#lookUp(id);
    if (session !== null) return session;
    throw new TroupeError("USER.SESSION.UNKNOWN", `there is no session "${id}"`, { session: id });
  }
  #lookUp(id: string): SessionHandle | null {
    const runtime = this.#runtime ?? this.#open();
    const key: Key = `session/${id}`;
    const row = runtime.host.store.query("select cwd from session where id=? and principal=?", key, runtime.user)[0];
    return row === undefined ? null : new SessionHandle(runtime, id, row["cwd"] as string);
  }
  #handle(session: SessionHandle, run?: string, known?: Promise<RunResult>): Run {
    const ended =
      session.turnEnd() ?? Promise.reject(new TroupeError("USER.FACADE.SESSION_CLOSED", "no turn was started"));
    ended.catch(() => undefined);
    const id = run ?? session.runId();
    const done = known ?? ended.then((end) => resultOf(end, id));
    done.catch(() => undefined); // who wants the result awaits it
    const answer = async (question: string, text: string): Promise<Run> => {
      await session.answer(question, text);
      return this.#handle(session, id);
    };
    return { id, session, done, answer, cancel: () => session.cancel() };
  }
}

/** Values of secret inputs are in no store: who resumes a run in another process gives them again. */
function learnAgain(session: SessionHandle, run: string, inputs: RunRequest["inputs"], mask: Mask): void {
  for (const row of session.rows(0, Number.MAX_SAFE_INTEGER)) {
    if (row.type !== "run.started" || row.run !== run) continue;
    for (const [name, value] of Object.entries(inputs)) mask.learn(inputSecret(row.payload.turn ?? run, name), value);
    return;
  }
}

function directory(cwd: string): string {
  if (!isAbsolute(cwd))
    throw new TroupeError("USER.SESSION.CWD", `cwd must be an absolute path, not "${cwd}"`, { field: "cwd", cwd });
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (!found?.isDirectory())
    throw new TroupeError("USER.SESSION.CWD", `cwd must be an existing directory: "${cwd}" is none`, {
      field: "cwd",
      cwd,
    });
  return cwd;
}
