/**
 * What a client does for its agent: shows updates, answers permission requests, reads and writes files, runs terminals.
 * One desk serves every connection of a client, one after the other.
 *
 * I1. Only what was offered is done; what was not is answered with -32601. A session that is not this client's: -32602.
 * I2. Updates of a session are shown in their order.
 * I3. A permission belongs to the turn in which it was asked: when that ends, the answer is `cancelled`.
 * I4. Where the agent sends cursors, a text is shown when its cursor has come (`cursors.ts`).
 * I5. When a session is closed or the connection is lost, its terminals end.
 * I6. A file or a command is for the session that works: of one whose prompt is over nothing is read, written or run.
 * I7. Where an open session is opened again and that fails, it has its place as before.
 */
import { type ClientApp, type ClientCapabilities, client, methods, RequestError } from "@agentclientprotocol/sdk";
import { NOT_READ } from "../../machines/not-read.ts";
import { CURSOR, CURSOR_METHOD, type CursorPosition, cursorNotification, Held } from "./cursors.ts";
import { Early, MOST } from "./early.ts";
import { readTextFile } from "./files/read.ts";
import type { Roots } from "./files/roots.ts";
import { writeTextFile } from "./files/write.ts";
import type { ClientHandlerOptions, UpdateOrigin } from "./handler-options.ts";
import { decided } from "./permissions.ts";
import { Terminals } from "./terminals/terminals.ts";
import { Updates } from "./updates.ts";
import type { UnknownUpdate } from "./wire.ts";

type Seat = {
  roots: Roots;
  terminals: Terminals | null;
  updates: Updates;
  held: Held;
  turn: AbortController;
  isReplaying: boolean;
  /** How many updates have come. */
  arrived: number;
  /** Resolved when the session is closed: a handler that never ends is waited for no longer. */
  left: { readonly promise: Promise<void>; resolve: () => void };
};

export class ClientHandlers {
  readonly #options: ClientHandlerOptions;
  readonly #seats = new Map<string, Seat>();
  readonly #early = new Early();
  /** Whether the agent of this connection sends cursors. */
  hasCursors = false;
  constructor(options: ClientHandlerOptions) {
    this.#options = options;
  }

  get capabilities(): ClientCapabilities {
    const { files, terminals, cursors } = this.#options;
    return {
      ...(cursors === true ? { _meta: { [CURSOR]: true } } : {}),
      fs: { readTextFile: files !== undefined, writeTextFile: files !== undefined && files.write !== "deny" },
      terminal: terminals !== undefined,
      ...(this.#options.signsInByTerminal === true ? { auth: { terminal: true } } : {}),
    };
  }

  /** The SDK's client for one connection. */
  app(name: string): ClientApp {
    const app = client({ name });
    const { fs, session, terminal } = methods.client;
    app.onNotification(session.update, ({ params: { sessionId, update } }) =>
      this.#show(sessionId, update.sessionUpdate, (said) => this.#options.onUpdate?.(update, said)),
    );
    app.onNotification(CURSOR_METHOD, cursorNotification, ({ params: { sessionId, ...place } }) =>
      this.#seats.get(sessionId)?.held.reach(place),
    );
    app.onRequest(session.requestPermission, async ({ params, signal }) => {
      const { turn } = this.#seat(params.sessionId);
      const ask = this.#options.permission ?? (() => Promise.resolve(null));
      return await decided(ask, params, AbortSignal.any([turn.signal, signal]));
    });
    const { files, terminals } = this.#options;
    if (files !== undefined) {
      app.onRequest(fs.readTextFile, async ({ params, signal }) => {
        const { roots } = this.#atWork(params.sessionId);
        return { content: await readTextFile(roots, params, files, signal) };
      });
      app.onRequest(fs.writeTextFile, async ({ params, signal }) => {
        const { roots, turn } = this.#atWork(params.sessionId);
        if (files.write === "deny") throw RequestError.methodNotFound(fs.writeTextFile);
        const both = AbortSignal.any([turn.signal, signal]);
        const edit = await writeTextFile(roots, params, files.write, both, files.editorWrite?.());
        if (edit !== null) files.written?.(edit);
        return {};
      });
    }
    if (terminals !== undefined) {
      app.onRequest(terminal.create, async ({ params, signal }) => {
        const { turn } = this.#atWork(params.sessionId);
        const both = AbortSignal.any([turn.signal, signal]);
        return { terminalId: await this.#terminals(params.sessionId).create(params, both) };
      });
      app.onRequest(terminal.output, ({ params }) => this.#terminals(params.sessionId).output(params.terminalId));
      app.onRequest(terminal.waitForExit, ({ params }) =>
        this.#terminals(params.sessionId).waitForExit(params.terminalId),
      );
      app.onRequest(terminal.kill, async ({ params }) => {
        await this.#terminals(params.sessionId).kill(params.terminalId);
        return {};
      });
      app.onRequest(terminal.release, async ({ params }) => {
        await this.#terminals(params.sessionId).release(params.terminalId);
        return {};
      });
    }
    return app;
  }

  /** One that names no session is of the only one that there is; among several it is nobody's. */
  showUnknown({ sessionId, update }: UnknownUpdate): void {
    const of = sessionId ?? (this.#seats.size === 1 ? [...this.#seats.keys()][0] : undefined);
    if (of === undefined) return;
    this.#show(of, update.sessionUpdate, (said) => this.#options.onUnknownUpdate?.(update, said));
  }

  /** From now on the session is this client's, in these folders: for good by `keep`, or as before by `leave` (I7). */
  seat(sessionId: string, roots: Roots): { keep: () => void; leave: () => Promise<void> } {
    const { terminals: policy } = this.#options;
    const terminals = policy === undefined ? null : new Terminals(roots, policy);
    const updates = new Updates((error) => this.#options.onError?.(error));
    const before = this.#seats.get(sessionId);
    const turn = new AbortController();
    const fresh = { held: new Held(), turn, isReplaying: false, arrived: 0, left: Promise.withResolvers<void>() };
    const seat: Seat = { roots, terminals, updates, ...fresh };
    this.#seats.set(sessionId, seat);
    this.#early.show(sessionId);
    return {
      keep: () => void before?.terminals?.close(),
      leave: async () => {
        if (this.#seats.get(sessionId) !== seat) return;
        const left = this.unseat(sessionId);
        if (before !== undefined) this.#seats.set(sessionId, before);
        await left;
      },
    };
  }
  async unseat(sessionId: string): Promise<void> {
    const seat = this.#seats.get(sessionId);
    this.#seats.delete(sessionId);
    this.#early.drop(sessionId);
    seat?.turn.abort();
    seat?.left.resolve();
    await seat?.terminals?.close();
  }

  /** Where the client is in a session, if its agent has reported it. */
  placeOf(sessionId: string): CursorPosition | null {
    return this.#seats.get(sessionId)?.held.place ?? null;
  }

  /** The session is replayed from its beginning, until `replayed`. */
  replaying(sessionId: string, { reset }: { reset: boolean }): void {
    const seat = this.#seat(sessionId);
    seat.isReplaying = true;
    if (reset) seat.updates.push(() => this.#options.onReset?.(sessionId));
  }
  replayed(sessionId: string): void {
    const seat = this.#seats.get(sessionId);
    if (seat !== undefined) seat.isReplaying = false;
  }

  /** How many updates of the session have come so far. */
  arrived(sessionId: string): number {
    return this.#seats.get(sessionId)?.arrived ?? 0;
  }

  /** What was asked in the session so far is not wanted any more (I3). */
  withdraw(sessionId: string): void {
    const seat = this.#seats.get(sessionId);
    if (seat === undefined) return;
    seat.turn.abort();
    seat.turn = new AbortController();
  }
  /** Resolves when every update that has arrived for the session was shown. */
  async shown(sessionId: string): Promise<void> {
    // The SDK hands a message on within the tick in which it arrived.
    await new Promise((resolve) => setImmediate(resolve));
    const seat = this.#seats.get(sessionId);
    seat?.held.release();
    if (seat !== undefined) await Promise.race([seat.updates.settled(), seat.left.promise]);
  }

  /** The connection is gone, and with it the agent that could use what was started or asked. */
  async lost(): Promise<void> {
    this.#early.clear();
    for (const [id, { held }] of this.#seats) {
      held.drop();
      this.withdraw(id);
    }
    const all = [...this.#seats.values()].map(({ terminals }) => terminals?.close());
    const { terminals: policy } = this.#options;
    if (policy !== undefined)
      for (const seat of this.#seats.values()) seat.terminals = new Terminals(seat.roots, policy);
    await Promise.all(all);
  }
  async close(): Promise<void> {
    await Promise.all([...this.#seats.keys()].map((id) => this.unseat(id)));
  }

  #show(sessionId: string, kind: string, hand: (said: UpdateOrigin) => void | Promise<void>): void {
    const seat = this.#seats.get(sessionId);
    if (seat === undefined) {
      const tooMany = (): void => this.showUnknown({ sessionId, update: TOO_EARLY });
      return this.#early.keep(sessionId, () => this.#show(sessionId, kind, hand), tooMany);
    }
    seat.arrived++;
    const said = { sessionId, isReplay: seat.isReplaying };
    const show = (): void => seat.updates.push(() => hand(said));
    if (this.hasCursors) seat.held.take(kind, show);
    else show();
  }
  #seat(sessionId: string): Seat {
    const seat = this.#seats.get(sessionId);
    if (seat === undefined) throw RequestError.invalidParams({ sessionId }, "there is no such session here");
    return seat;
  }
  /** I6. */
  #atWork(sessionId: string): Seat {
    const seat = this.#seat(sessionId);
    if (this.#options.isAtWork?.(sessionId) ?? true) return seat;
    throw RequestError.invalidRequest({ sessionId }, "no prompt of this session is at work");
  }
  #terminals(sessionId: string): Terminals {
    const { terminals } = this.#seat(sessionId);
    if (terminals === null) throw RequestError.methodNotFound(methods.client.terminal.create);
    return terminals;
  }
}

const TOO_EARLY = { sessionUpdate: NOT_READ, why: `more than ${MOST} came before their session was open` };
