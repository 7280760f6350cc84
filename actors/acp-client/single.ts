/**
 * A client on one channel, for as long as that lives. A client that finds its agent again is `transports/client`.
 */
import type { Implementation } from "@agentclientprotocol/sdk";
import type { Timers } from "../base/clock.ts";
import type { ChooseAuth } from "./authenticated.ts";
import type { AgentCalls } from "./calls.ts";
import type { Channel } from "./channel.ts";
import { AgentClient } from "./client.ts";
import { ClientHandlers } from "./client-handlers.ts";
import { AgentConnection } from "./connection.ts";
import { ClientError, isClientError } from "./errors.ts";
import type { ClientHandlerOptions } from "./handler-options.ts";
import { initialize } from "./handshake.ts";

export type SingleOptions = ClientHandlerOptions & {
  info: Implementation;
  chooseAuth?: ChooseAuth;
  maxInFlightSends?: number;
  initializeTimeoutMs?: number;
  clock?: Timers;
};

export type SingleClient = AgentClient & {
  /** Resolves when the connection has ended, with the reason in words. */
  readonly ended: Promise<string>;
  /** Ends the connection, its terminals and what carries it; a second call waits for the first. */
  close(): Promise<void>;
};

/** Speaks to an agent on this channel. When it rejects, the channel has ended. */
export async function connectOnce(channel: Channel, o: SingleOptions): Promise<SingleClient> {
  const desk = new ClientHandlers(o);
  const connection = new AgentConnection(channel, {
    app: desk.app(o.info.name),
    onUnknownUpdate: (one) => desk.showUnknown(one),
    ...(o.maxInFlightSends === undefined ? {} : { maxInFlightSends: o.maxInFlightSends }),
    ...(o.clock === undefined ? {} : { clock: o.clock }),
  });
  const ended = connection.ended.then(async (why) => {
    await desk.lost();
    return why;
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= Promise.all([connection.close(), desk.close()]).then(() => undefined);
    return closing;
  };
  try {
    const agent = await initialize(connection, {
      info: o.info,
      capabilities: desk.capabilities,
      ...(o.initializeTimeoutMs === undefined ? {} : { timeoutMs: o.initializeTimeoutMs }),
    });
    const calls: AgentCalls = {
      agent,
      request: (method, params, options) =>
        connection.request(method, params, options).catch((error: unknown) => {
          throw method === "session/prompt" ? unknownOutcome(error) : error;
        }),
      notify: (method, params) => connection.notify(method, params),
      roundTrip: () => roundTrip(connection),
      attached: () => undefined,
      detached: () => undefined,
      drop: () => connection.close(),
    };
    const { chooseAuth, clock } = o;
    const client = new AgentClient({
      ...{ calls, desk },
      ...(chooseAuth === undefined ? {} : { chooseAuth }),
      ...(clock === undefined ? {} : { clock }),
    });
    return Object.assign(client, { ended, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** A prompt that was sent and never answered may have been carried out, or not. */
export function unknownOutcome(error: unknown): unknown {
  if (!isClientError(error, "eof") || error.details["written"] !== true) return error;
  return new ClientError(
    "outcomeUnknown",
    `${error.message}; whether it was carried out is unknown`,
    error.details,
    error,
  );
}

/** A method that no agent has; ACP has each of them answer it, if only with -32601. */
export const ROUND_TRIP = "_troupe/round_trip";
/** An agent that answers no such method is not waited for any longer, in milliseconds. */
export const ROUND_TRIP_MS = 1_000;

async function roundTrip(connection: AgentConnection): Promise<boolean> {
  try {
    await connection.request(ROUND_TRIP, {}, { timeoutMs: ROUND_TRIP_MS });
    return true;
  } catch (error) {
    if (isClientError(error, "requestTimeout")) return false;
    if (isClientError(error, "refused") || isClientError(error, "invalidResponse")) return true;
    throw error;
  }
}
