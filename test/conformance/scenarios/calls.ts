/** Calls of a client, and what a tap has seen of them. */
import { isClientError } from "../../../transports/client/connect.ts";

export const NONE = { pending: 0, timers: 0, sending: 0, waiting: 0 };
export const LIST = "session/list";

export const outcomeOf = (end: PromiseSettledResult<unknown>): string => {
  if (end.status === "fulfilled") return "success";
  return isClientError(end.reason) ? end.reason.type : String(end.reason);
};
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
