/** Errors over HTTP: RFC 9457 with our stable codes, their status from the one table. */
import { facesOf, troupeError } from "../../actors/troupe.ts";
import { PROBLEM_TYPE, type Problem, problemBody } from "../serve/problem.ts";

/** What to do over this face, where the message speaks of another one; it follows that message. */
const HERE: { readonly [code: string]: string } = {
  "USER.TRUST.REQUIRED": '; with "consent": "ask" the run waits until the user of this machine has decided',
  "USER.RUN.PARKED":
    " Over this API POST /api/runs/{run}/answer answers the run that waits, and /cancel there ends it.",
};

/** Any error as a problem. */
export function problemOf(error: unknown): Problem {
  const { code, message, details } = troupeError(error);
  const here = Object.hasOwn(HERE, code) ? HERE[code] : "";
  return { ...problem(code, message + here), ...(Object.keys(details).length === 0 ? {} : { details }) };
}

/** A problem with the status that its code has. */
export const problem = (code: string, detail: string): Problem => problemBody(code, facesOf(code).http, detail);

/** A problem as an answer. */
export const answerOf = (one: Problem): Response =>
  new Response(JSON.stringify(one), { status: one.status, headers: { "content-type": PROBLEM_TYPE } });
