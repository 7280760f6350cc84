/** What is said of an event that a session did not take. */
import { idOf, type Key } from "../../machines/model.ts";
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

/** Throws for what another process has to do; that nothing runs is no refusal. */
export function refuseElsewhere(delivery: Delivery, session: string): void {
  if (!delivery.accepted && delivery.reason === "owned") refuse(delivery, session);
}

/** A permission that is not open, or has no such option. */
export const permissionNotOpen = (permission: string, option: string | null): TroupeError =>
  new TroupeError("USER.FACADE.INPUT_REJECTED", "this question is not open, or has no such answer", {
    permission,
    option,
  });

export const closedQuestion = (question: string, isAnswered: boolean): TroupeError =>
  isAnswered
    ? new TroupeError("USER.FACADE.DUPLICATE_RESPONSE", "this question was answered already", { question })
    : new TroupeError("USER.FACADE.INPUT_REJECTED", "nothing waits for this answer: the question is not open", {
        question,
      });
