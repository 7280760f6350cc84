/** The facade and the library's public API: the only door through which a face reaches the runtime. */
import type { SessionInput } from "../machines/contracts.ts";
import { idOf } from "../machines/model.ts";
import type { Agents } from "./api/agents.ts";
import type { Checkup } from "./api/checkup.ts";
import type { Revoked, Run, RunLog, Session, Setup, Troupe, Trusted } from "./api/facade.ts";
import type { Packs } from "./api/packs.ts";
import type {
  AnswerOptions,
  HistoryQuery,
  RerunRequest,
  ResumeOptions,
  RunRecord,
  RunRequest,
  SessionPage,
  SessionQuery,
  Validation,
  WorkflowSummary,
} from "./api/records.ts";
import type { Schedules } from "./api/schedules.ts";
import type { Collected, Retention } from "./api/upkeep.ts";
import type { Listening, Serving } from "./base/engine-port.ts";
import { projectFolder } from "./catalogue/project-folder.ts";
import { TroupeError } from "./errors/troupe-error.ts";
import { ownAgents } from "./facade/agents/open.ts";
import { checkedObject, checkedText } from "./facade/call-forms.ts";
import { checkupOf, collectIn } from "./facade/care.ts";
import { LazyRuntime, type TroupeOptions } from "./facade/lazy-runtime.ts";
import { packsOf } from "./facade/packs.ts";
import { promptFileOf } from "./facade/prompt-files.ts";
import { listRuns, machinesOf, reachedRun } from "./facade/records.ts";
import { askedOf, parked, raisable, resumable } from "./facade/results.ts";
import { runOf } from "./facade/run-handle.ts";
import { runLog } from "./facade/run-log.ts";
import { runNamed } from "./facade/run-names.ts";
import { watchRuns } from "./facade/run-news.ts";
import type { Runtime } from "./facade/runtime.ts";
import { SessionHandle } from "./facade/session-handle.ts";
import { cancelled, finishCancel, readied } from "./facade/sessions/continuing.ts";
import { listSessions } from "./facade/sessions/list.ts";
import { noSession } from "./facade/sessions/not-found.ts";
import { removeSession, runAlone } from "./facade/sessions/remove.ts";
import { checkedSetup, learnSetup } from "./facade/sessions/setup.ts";
import { placeSeenBy } from "./facade/shown-place.ts";
import { validated } from "./facade/workflows.ts";
import { giveTrust, isTrusted, revokeTrust } from "./trust/trust.ts";

export type * from "./api/api.ts";
export { EDITOR_LIMIT_MS, type EditorClient, type EditorEnd, type EditorTerminal } from "./base/editor-client.ts";
export type { Environment } from "./base/user-folders.ts";
export * from "./facade/beside.ts";
export type { TroupeOptions } from "./facade/lazy-runtime.ts";
export { type Mask, Masking, NO_MASKING } from "./masking/masking.ts";

/** Makes a Troupe; its store is opened by the first call that needs it. @example const troupe = createTroupe({ ephemeral: true }); */
export const createTroupe = (options: TroupeOptions = {}): Troupe =>
  new EmbeddedTroupe(new LazyRuntime(checkedObject("options", options)), null);

class EmbeddedTroupe implements Troupe {
  readonly #opening: LazyRuntime;
  /** Whose sessions it sees; null is the user of this process, who sees every run. `#at`: a directory that it may name. */
  readonly #principal: string | null;
  readonly #at: (cwd: string) => string;
  constructor(opening: LazyRuntime, principal: string | null, shown: string | null = null) {
    this.#opening = opening;
    this.#principal = principal;
    this.#at = placeSeenBy({ open: () => this.#open(), principal, shown });
  }
  as(principal: string, shown?: string): Troupe {
    return new EmbeddedTroupe(this.#opening, principal, shown);
  }
  async warm(cwd: string): Promise<void> {
    try {
      if (this.#opening.hasStore) this.#open();
      await this.list(cwd);
    } catch {
      // Who asks for it hears of it.
    }
  }
  async list(cwd: string): Promise<WorkflowSummary[]> {
    return await this.#opening.workflows().list(this.#at(cwd));
  }
  watch(cwd: string, changed: () => void): () => void {
    return this.#open().catalogue.watch(this.#at(cwd), changed);
  }
  async warnings(cwd: string): Promise<string[]> {
    return await this.#opening.workflows().warnings(this.#at(cwd));
  }
  async promptFile(cwd: string, value: string): Promise<string> {
    return promptFileOf(value, { environment: this.#opening.environment, cwd: this.#at(cwd) });
  }
  async validate(cwd: string, identifier: string): Promise<Validation> {
    return await validated(this.#opening.looks(), this.#at(cwd), identifier);
  }
  async status(run: string): Promise<RunRecord> {
    return await reachedRun(this.#open().host, { run, principal: this.#principal });
  }
  async find(name: string, options: { cwd?: string } = {}): Promise<string> {
    const { cwd } = checkedObject("options", options);
    return await runNamed(this.#open(), { name, cwd: cwd ?? null, principal: this.#principal });
  }
  async log(run: string): Promise<RunLog> {
    const record = await this.status(run);
    return runLog(this.#open().host, record, new SessionHandle(this.#open(), record.session, record.cwd));
  }
  async machines(run: string): ReturnType<Troupe["machines"]> {
    return machinesOf(this.#open().host, await this.status(run));
  }
  async history(asked: HistoryQuery = {}): Promise<RunRecord[]> {
    const { own, ...query } = checkedObject("query", asked);
    return await listRuns(this.#open().host, { ...query, principal: own ? this.#owner : this.#principal });
  }
  watchRuns(changed: () => void): () => void {
    return watchRuns(this.#open(), this.#principal, changed);
  }
  project(cwd: string): string {
    return projectFolder(checkedText("cwd", cwd));
  }
  async isTrusted(cwd: string): Promise<boolean> {
    return isTrusted(this.#open().host.trust, this.#at(cwd));
  }
  async trusted(): Promise<Trusted[]> {
    return this.#usersOwn().host.trust.list();
  }
  async giveTrust(cwd: string): Promise<Trusted> {
    return await giveTrust(this.#usersOwn().host.trust, this.#at(cwd), this.#open().options.clock.now());
  }
  async revokeTrust(cwd: string): Promise<Revoked> {
    return await revokeTrust(this.#usersOwn().host, checkedText("cwd", cwd));
  }
  /** For what only the user of this machine may do. */
  #usersOwn(): Runtime {
    const runtime = this.#open();
    if (this.#owner === runtime.user) return runtime;
    throw new TroupeError("USER.TRUST.NOT_YOURS", "only the user of this machine says what is trusted");
  }
  async agents(cwd: string): Promise<Agents> {
    return await ownAgents(this.#opening, this.#at(cwd), this.#principal);
  }
  async checkup(cwd: string): Promise<Checkup> {
    return await checkupOf(this, this.#opening.environment, cwd);
  }
  async collect(limits: Retention, how: { dryRun?: boolean } = {}): Promise<Collected> {
    return await collectIn({ open: () => this.#usersOwn(), environment: this.#opening.environment }, limits, how);
  }
  async packs(cwd: string): Promise<Packs> {
    return await packsOf(this.#opening, this.#at(cwd));
  }
  async schedules(): Promise<Schedules> {
    return (await import("./facade/schedules/schedules.ts")).openSchedules(this.#opening, this.#principal);
  }
  async session(options: { cwd: string } & Partial<Setup>): Promise<Session> {
    const { cwd, ...setup } = checkedObject("options", options);
    return await this.#create(this.#at(cwd), { setup: checkedSetup(setup) });
  }
  async open(id: string, setup?: Partial<Setup>): Promise<Session> {
    const session = await this.#reached(id);
    if (setup !== undefined) await session.equip(checkedSetup(setup));
    return session;
  }
  async fork(id: string, setup?: Partial<Setup>): Promise<Session> {
    const from = await this.#reached(id);
    return await this.#create(from.cwd, { ...(await from.forked()), ...(setup ? { setup: checkedSetup(setup) } : {}) });
  }
  async sessions(query: SessionQuery = {}): Promise<SessionPage> {
    const { host, options } = this.#open();
    return listSessions(query, { sessions: host.sessions, principal: this.#owner, now: options.clock.now() });
  }
  async deleteSession(id: string): Promise<void> {
    const { host, releases, endings, swept } = this.#open();
    await host.reach?.(`session/${id}`);
    const session = this.#lookUp(id);
    if (session === null) return;
    await removeSession(session, { host, released: (key) => releases.next(key) });
    endings.look();
    await swept();
  }
  async run(asked: RunRequest & { cwd: string }): Promise<Run> {
    const { cwd, merges, ...request } = checkedObject("request", asked);
    const session = await this.#create(this.#at(cwd), merges ? { setup: checkedSetup({ merges }) } : {});
    await runAlone(session, this.#open().host, () => session.run(request));
    return runOf(session);
  }
  async rerun(run: string, request: RerunRequest): Promise<Run> {
    const session = await this.#reached((await this.status(run)).session);
    await this.#open().swept();
    await session.rerun(run, request);
    return runOf(session);
  }
  async resume(run: string, options: ResumeOptions): Promise<Run> {
    const { recover, inputs = {}, budget, consent } = checkedObject("options", options);
    const session = await this.#reached((await this.status(run)).session);
    await cancelled(this.#open(), session.id);
    const record = raisable(resumable(await this.status(run)), budget);
    await this.#open().swept();
    await readied(this.#open(), session, run, { inputs, consent });
    if (record.status === "parked") return runOf(session, run, Promise.resolve(parked(record)));
    await session.resume(recover, budget, consent);
    return runOf(session, run);
  }
  async answer(run: string, answer: AnswerOptions): Promise<Run> {
    const { text, question, check, inputs = {}, who, consent } = checkedObject("answer", answer);
    const session = await this.#reached((await this.status(run)).session);
    await session.asked();
    const record = await this.status(run);
    const asked = askedOf(this.#open().host, record, { question, check });
    await readied(this.#open(), session, run, { inputs, consent });
    await session.answer(asked, text, who, consent);
    return runOf(session, run);
  }
  readonly work = (listening: Listening): Promise<Serving> => this.#opening.work(listening);
  readonly rest = (signal: AbortSignal): Promise<void> => this.#opening.rest(signal);
  close(): Promise<void> {
    return this.#opening.close((runtime, key) => new SessionHandle(runtime, idOf(key), "").close());
  }
  #open(): Runtime {
    return this.#opening.runtime();
  }
  get #owner() {
    return this.#principal ?? this.#open().user;
  }
  async #create(cwd: string, more: Partial<SessionInput> = {}): Promise<SessionHandle> {
    const runtime = this.#open();
    const id = runtime.options.ids("session");
    if (more.setup !== undefined) learnSetup(id, more.setup, runtime.mask);
    const input: SessionInput = { cwd, principal: this.#owner, ...more };
    await runtime.host.create(`session/${id}`, input);
    return new SessionHandle(runtime, id, cwd, this.#owner);
  }
  async #reached(id: string): Promise<SessionHandle> {
    await this.#open().host.reach?.(`session/${id}`);
    const session = this.#find(id);
    await finishCancel(this.#open(), `session/${id}`);
    return session;
  }
  #find(id: string): SessionHandle {
    const session = this.#lookUp(id);
    if (session !== null) return session;
    throw noSession(id, this.#principal, this.#open().host);
  }
  #lookUp(id: string): SessionHandle | null {
    const runtime = this.#open();
    const found = runtime.host.sessions.find(`session/${id}`);
    return found?.principal === this.#owner ? new SessionHandle(runtime, id, found.cwd, this.#owner) : null;
  }
}
