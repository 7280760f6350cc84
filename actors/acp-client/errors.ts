/**
 * How a call to an agent can fail, as one tagged error. `eof`: the connection ended first. `notConnected`: there is
 * none any more. `requestTimeout`: no answer in time. `outcomeUnknown`: it was sent, and whether it was done cannot be
 * known; nothing sends it again.
 */
import type { Code } from "../errors/codes.ts";
import { type Details, TroupeError } from "../errors/troupe-error.ts";

const CODE_OF = {
  eof: "SYSTEM.CLIENT.EOF",
  notConnected: "SYSTEM.CLIENT.NOT_CONNECTED",
  requestTimeout: "SYSTEM.CLIENT.REQUEST_TIMEOUT",
  outcomeUnknown: "SYSTEM.CLIENT.OUTCOME_UNKNOWN",
  invalidResponse: "SYSTEM.CLIENT.INVALID_RESPONSE",
  unsupportedProtocol: "SYSTEM.CLIENT.UNSUPPORTED_PROTOCOL",
  /** The agent answered with an error; `details` hold its `code`, `message` and `data`. */
  refused: "EXECUTION.CLIENT.REFUSED",
  cancelled: "EXECUTION.CLIENT.CANCELLED",
  agentNotFound: "USER.CLIENT.AGENT_NOT_FOUND",
  busy: "USER.CLIENT.BUSY",
  unsupported: "USER.CLIENT.UNSUPPORTED",
} as const satisfies { [type: string]: Code };

/** How a call failed: what `ClientError.type` can be. */
export type ClientErrorType = keyof typeof CODE_OF;

/** The error of every call to an agent. */
export class ClientError extends TroupeError {
  readonly type: ClientErrorType;
  constructor(type: ClientErrorType, message: string, details: Details = {}, cause?: unknown) {
    super(CODE_OF[type], message, details, cause);
    this.type = type;
  }
}

/** Whether an error is one of these, or of this type. @example if (isClientError(error, "outcomeUnknown")) console.error("the prompt was sent, and its end is unknown"); */
export const isClientError = (error: unknown, type?: ClientErrorType): error is ClientError =>
  error instanceof ClientError && (type === undefined || error.type === type);
