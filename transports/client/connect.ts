/**
 * `troupe/client`: a client of an ACP agent, in a process, behind a WebSocket or behind HTTP.
 *
 * I1. `connect` resolves with a client that is ready, or rejects and leaves nothing behind.
 * I2. `close` may be called any number of times; whatever is in flight fails with `eof`, later calls with `notConnected`.
 */
import type { Implementation } from "@agentclientprotocol/sdk";
import type { ChooseAuth } from "../../actors/acp-client/authenticated.ts";
import type { OpenChannel } from "../../actors/acp-client/channel.ts";
import { AgentClient, systemClock, type Timers } from "../../actors/acp-client/client.ts";
import { ClientHandlers } from "../../actors/acp-client/client-handlers.ts";
import { ClientMask } from "../../actors/acp-client/client-mask.ts";
import { ClientError } from "../../actors/acp-client/errors.ts";
import type { ClientHandlerOptions } from "../../actors/acp-client/handler-options.ts";
import { type AgentCommand, startAgent } from "../../actors/acp-client/start.ts";
import type { LinkInput } from "../../machines/link-machine.ts";
import { addressOf } from "./address.ts";
import { httpTo } from "./http-channel.ts";
import { Link, type LinkState } from "./link.ts";
import { socketTo } from "./socket-channel.ts";

export type { ChooseAuth } from "../../actors/acp-client/authenticated.ts";
export type { Channel, OpenChannel } from "../../actors/acp-client/channel.ts";
export type { SessionPlace } from "../../actors/acp-client/client.ts";
export { ClientMask } from "../../actors/acp-client/client-mask.ts";
export { ClientError, type ClientErrorType, isClientError } from "../../actors/acp-client/errors.ts";
export type { FilePolicy } from "../../actors/acp-client/files/policy.ts";
export type { Edit, ReviewEdit } from "../../actors/acp-client/files/write.ts";
export type { UpdateOrigin } from "../../actors/acp-client/handler-options.ts";
export { type AskPermission, byPolicy, type PermissionPolicy } from "../../actors/acp-client/permissions.ts";
export type { AgentSession, PromptOptions } from "../../actors/acp-client/session.ts";
export type { AgentCommand } from "../../actors/acp-client/start.ts";
export type { TerminalPolicy, TerminalRequest } from "../../actors/acp-client/terminals/terminals.ts";
export type { LinkState } from "./link.ts";

/**
 * How often in a row a lost connection is tried again, how often the `first` one is (as often where nothing is said), and
 * the shortest and longest wait in milliseconds.
 */
export type Reconnect = LinkInput;

/**
 * Where the agent is: behind an address (ws, wss, http, https), in a program, or at the end of a channel that a caller
 * makes.
 * @example const remote: AgentAddress = { url: "wss://agents.example.org/acp", token };
 * @example const local: AgentAddress = { command: "some-agent", args: ["--acp"] };
 */
export type AgentAddress =
  | { url: string; token?: string; headers?: { readonly [name: string]: string } }
  | AgentCommand
  | { open: OpenChannel };

/**
 * Where the agent is, and how its client behaves. Without `permission`, `files` and `terminals` the agent is refused
 * them.
 */
export type ConnectOptions = AgentAddress &
  Omit<ClientHandlerOptions, "cursors"> & {
    /** How this client names itself to the agent. */
    info?: Implementation;
    chooseAuth?: ChooseAuth;
    /** Messages on their way out at once, 64 by default. */
    maxInFlightSends?: number;
    /** By default an address is tried 8 times in a row, a program once. */
    reconnect?: Partial<Reconnect>;
    /** Values that stand in no error, beside those that the agent is started with, reached by or handed. */
    secrets?: readonly string[];
    initializeTimeoutMs?: number;
    /** Hears of every change of the connection. */
    onState?: (state: LinkState) => void;
    clock?: Timers;
    /** Numbers in [0, 1), which shorten the waits between tries. */
    random?: () => number;
  };

/** A client that is connected; `connect` makes one. */
export class Client extends AgentClient {
  readonly #link: Link;
  readonly #desk: ClientHandlers;
  #closing: Promise<void> | undefined;
  /** @internal */
  constructor(link: Link, desk: ClientHandlers, { chooseAuth, clock }: ConnectOptions) {
    super({
      ...{ calls: link, desk },
      ...(chooseAuth === undefined ? {} : { chooseAuth }),
      ...(clock === undefined ? {} : { clock }),
    });
    this.#link = link;
    this.#desk = desk;
  }

  get state(): LinkState {
    return this.#link.state;
  }
  /** Calls in flight, timers that run, and sends that wait: all 0 when nothing is asked. */
  get counts(): Link["counts"] {
    return this.#link.counts;
  }
  /** Resolves when there is no connection and there will be none. */
  get closed(): Promise<void> {
    return this.#link.ended.promise;
  }
  /** Ends the sessions, the connection, and a program that was started. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= Promise.all([this.#link.close(), this.#desk.close()]).then(() => undefined);
    return this.#closing;
  }
}

const PATIENT: Reconnect = { attempts: 8, baseMs: 250, maxMs: 30_000 };
const NEVER_AGAIN: Reconnect = { ...PATIENT, attempts: 0 };

/**
 * Connects to an agent.
 * @example
 * const client = await connect({ command: "troupe", args: ["acp"], permission: byPolicy({ allow: ["read"] }) });
 * const session = await client.newSession({ cwd: process.cwd() });
 * const { stopReason } = await session.prompt("/hello");
 * await client.close();
 */
export async function connect(options: ConnectOptions): Promise<Client> {
  refuseMisfit(options);
  const { info = { name: "troupe/client", version: "0" }, reconnect, maxInFlightSends, initializeTimeoutMs } = options;
  const mask = new ClientMask({ environment: process.env, ...options });
  const { onError = () => undefined } = options;
  const desk = new ClientHandlers({ ...options, onError: (error) => onError(mask.error(error)), cursors: true });
  const link = new Link({
    ...{ open: opening(options, mask), desk, info, mask, onError },
    reconnect: { ...(isProgram(options) ? NEVER_AGAIN : PATIENT), ...reconnect },
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    onState: options.onState ?? (() => undefined),
    ...(maxInFlightSends === undefined ? {} : { maxInFlightSends }),
    ...(options.chooseAuth === undefined ? {} : { chooseAuth: options.chooseAuth }),
    ...(initializeTimeoutMs === undefined ? {} : { initializeTimeoutMs }),
  });
  const client = new Client(link, desk, options);
  try {
    await link.connected();
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Plain JavaScript can leave all of it out, or hand in what is no address. Throws `unsupported`. */
function refuseMisfit(options: unknown): void {
  const { url, command, open } = (options ?? {}) as { [name: string]: unknown };
  for (const [name, value] of Object.entries({ url, command }))
    if (value !== undefined && typeof value !== "string")
      throw new ClientError(
        "unsupported",
        `connect takes "${name}" as a text, not as ${value === null ? null : typeof value}`,
      );
  if (url === undefined && command === undefined && open === undefined) throw new ClientError("unsupported", NOWHERE);
}
const NOWHERE = 'connect has to be told where the agent is, by "url", "command" or "open"';
const notOne = (names: readonly string[]): string =>
  `connect is told where the agent is by one of "url", "command" and "open", not by ${names.join(" and ")}`;

const isProgram = (target: object): boolean => (target as { command?: unknown }).command !== undefined;

function opening(target: AgentAddress, mask: ClientMask): OpenChannel {
  const { url, command, open } = target as { url?: string; command?: string; open?: OpenChannel };
  const given = Object.entries({ url, command, open }).filter(([, value]) => value !== undefined);
  if (given.length > 1) throw new ClientError("unsupported", notOne(given.map(([name]) => name)));
  if (open !== undefined) return open;
  if (url === undefined) return async () => startAgent(target as AgentCommand, (text) => mask.text(text));
  const address = addressOf({ ...target, url });
  switch (address.way) {
    case "socket":
      return socketTo(address);
    case "http":
      return httpTo(address);
    default:
      return address.way satisfies never;
  }
}
