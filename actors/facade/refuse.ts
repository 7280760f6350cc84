/** What is said of an event that a session did not take. */
import { idOf, type Key } from "../../machines/model.ts";
import type { Permission, Question } from "../api/records.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Delivery } from "../host/host.ts";

/** A session has one prompt at a time. */
export const promptInFlight = (session: Key): TroupeError =>
  new TroupeError("USER.PROMPT.IN_FLIGHT", "a prompt of this session is in flight; wait for its end or cancel it", {
    session: idOf(session),
  });

/** Throws unless it was taken. */
export function refuse(delivery: Delivery, session: string): void {
  if (delivery.accepted) return;
  switch (delivery.reason) {
    case "refused":
      throw promptInFlight(`session/${session}`);
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

/** Throws where another process has to cancel, and does not read; that nothing runs is no refusal. */
export function refuseElsewhere(delivery: Delivery, session: string): void {
  if (delivery.accepted || delivery.reason !== "owned") return;
  const message =
    "another troupe process runs this session, and does not read: cancel it where it was started (its terminal, editor, host or server), or end that process";
  throw new TroupeError("USER.SESSION.BUSY_ELSEWHERE", message, { session });
}

/** A permission that is not open. `open`: it is, and has no such option. */
export function permissionNotOpen(
  permission: string,
  option: string | null,
  open: Pick<Permission, "options"> | null = null,
): TroupeError {
  const options = open?.options.map(({ id }) => id) ?? [];
  const message =
    open === null
      ? "this question is not open: it was decided already, or was never asked here"
      : `this question has no such answer: expected one of ${options.join(", ")}`;
  return new TroupeError("USER.FACADE.INPUT_REJECTED", message, {
    ...{ permission, option },
    ...(open === null ? {} : { options }),
  });
}

/** `open`: those that are open now. */
export function closedQuestion(question: string, isAnswered: boolean, open: readonly Question[]): TroupeError {
  const ids = open.map(({ input }) => input);
  const now = ids.length === 0 ? "" : `; open is ${ids.join(" and ")}`;
  return isAnswered
    ? new TroupeError("USER.FACADE.DUPLICATE_RESPONSE", `this question was answered already${now}`, { question })
    : new TroupeError("USER.FACADE.INPUT_REJECTED", `nothing waits for this answer: the question is not open${now}`, {
        question,
        ...(ids.length === 0 ? {} : { open: ids }),
      });
}
