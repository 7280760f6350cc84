/**
 * The terminals of one session: processes that its agent asked for.
 *
 * I1. An argv is started as it is, in a folder of the workspace, with a small environment and what was given.
 * I2. Of the output the last `outputByteLimit` bytes are kept, cut between characters; 64 KiB by default, 8 MiB at
 *     most.
 * I3. Ids are random and known to this session only. At most `max` terminals are held at once.
 * I4. `kill` leaves the output to be read until `release`. After `close` nothing of any of them runs.
 */

import { randomUUID } from "node:crypto";
import {
  type CreateTerminalRequest,
  RequestError,
  type TerminalExitStatus,
  type TerminalOutputResponse,
} from "@agentclientprotocol/sdk";
import type { Environment } from "../../base/user-folders.ts";
import { agentEnvironment } from "../../process/environment.ts";
import { ownIdentity } from "../../process/identity.ts";
import { markerFor } from "../../process/marker.ts";
import { type End, type Running, type SpawnOptions, spawnProcess } from "../../process/spawn.ts";
import type { Roots } from "../files/roots.ts";
import { Tail } from "../tail.ts";

export const MAX_TERMINALS = 8;
export const OUTPUT_BYTES = 64 * 1024;
export const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** A command that an agent wants to run. */
export type TerminalRequest = { command: string; args: readonly string[]; cwd: string; env: readonly string[] };
/** Which commands an agent may run, and how. */
export type TerminalPolicy = {
  /** Whether this may be started; `env` holds names only. */
  mayRun: (request: TerminalRequest, signal: AbortSignal) => Promise<boolean>;
  /** Terminals of a session at once, 8 by default. */
  max?: number;
  /** What a command's variables are taken from. */
  environment?: Environment;
  /** Starts the program, in place of the built-in way. */
  spawn?: (options: SpawnOptions) => Running;
  /** Names a terminal. */
  id?: () => string;
};

type Terminal = {
  running: Running;
  output: Tail;
  status: TerminalExitStatus | null;
  ended: Promise<TerminalExitStatus>;
};

export class Terminals {
  readonly #roots: Roots;
  readonly #policy: TerminalPolicy;
  readonly #terminals = new Map<string, Terminal>();
  readonly #over = new AbortController();
  #starting = 0;
  constructor(roots: Roots, policy: TerminalPolicy) {
    this.#roots = roots;
    this.#policy = policy;
  }

  get size(): number {
    return this.#terminals.size;
  }

  async create(request: CreateTerminalRequest, signal: AbortSignal): Promise<string> {
    const { max = MAX_TERMINALS, environment = process.env, spawn = spawnProcess, id = randomUUID } = this.#policy;
    const { command, args = [], env = [], outputByteLimit } = request;
    if (command === "" || [command, ...args].some((word) => word.includes("\0")))
      throw RequestError.invalidParams({ field: "command" }, "a terminal needs a command without NUL");
    for (const { name, value } of env) {
      if (name === "" || name.includes("=") || `${name}${value}`.includes("\0"))
        throw RequestError.invalidParams({ field: "env" }, "a variable needs a name without '=' and NUL");
    }
    if (this.#terminals.size + this.#starting >= max)
      throw new RequestError(-32603, `a session has at most ${max} terminals; release one`, { limit: max });
    this.#starting++;
    try {
      const cwd = await this.#roots.folder(request.cwd ?? this.#roots.cwd);
      const wanted: TerminalRequest = { command, args, cwd, env: env.map(({ name }) => name) };
      const both = AbortSignal.any([signal, this.#over.signal]);
      const may = await this.#policy.mayRun(wanted, both);
      if (!may || both.aborted)
        throw new RequestError(-32603, "the command was not allowed", { reason: "not_allowed" });
      const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const output = new Tail(Math.min(outputByteLimit ?? OUTPUT_BYTES, MAX_KEPT_BYTES));
      const key = id();
      const running = spawn({
        argv: [command, ...args],
        cwd,
        env: agentEnvironment(environment, given),
        // A scope of its own: to end one terminal is to end nothing else.
        marker: markerFor(ownIdentity(), `terminal/${key}`),
        onOutput: (_, text) => output.push(text),
      });
      const terminal: Terminal = { running, output, status: null, ended: Promise.resolve({}) };
      terminal.ended = running.ended.then((end) => {
        terminal.status = statusOf(end);
        if (end.type === "not started") output.push(`${end.message}\n`);
        return terminal.status;
      });
      this.#terminals.set(key, terminal);
      return key;
    } finally {
      this.#starting--;
    }
  }

  output(id: string): TerminalOutputResponse {
    const { output, status } = this.#terminal(id);
    return { output: output.text, truncated: output.isCut, ...(status === null ? {} : { exitStatus: status }) };
  }
  waitForExit(id: string): Promise<TerminalExitStatus> {
    return this.#terminal(id).ended;
  }
  async kill(id: string): Promise<void> {
    const { running, ended } = this.#terminal(id);
    await running.terminate();
    await ended;
  }
  async release(id: string): Promise<void> {
    const { running, ended } = this.#terminal(id);
    this.#terminals.delete(id);
    await running.terminate();
    await ended;
  }
  /** Ends all of them. */
  async close(): Promise<void> {
    this.#over.abort();
    await Promise.all([...this.#terminals.keys()].map((id) => this.release(id)));
  }

  #terminal(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (terminal === undefined) throw new RequestError(-32002, "there is no such terminal", { terminalId: id });
    return terminal;
  }
}

function statusOf(end: End): TerminalExitStatus {
  switch (end.type) {
    case "exited":
      return { exitCode: end.code, signal: null };
    case "signalled":
      return { exitCode: null, signal: end.signal };
    // As a shell reports it.
    case "not started":
      return { exitCode: 127, signal: null };
    case "output limit":
      return { exitCode: null, signal: "SIGKILL" };
    default:
      return end satisfies never;
  }
}
