/**
 * Who comes in: asked of every request and of every upgrade, before anything is done for it.
 *
 * I1. An `Origin` that is not listed is refused, whatever it is; the list is empty by default. Programs send none.
 *     What a browser says came from a page of another site without an `Origin`, as a picture or a link, is refused too.
 * I2. A request that calls us by a name that is not ours is refused.
 * I3. Where a token is asked for, there is no other way in.
 */
import type { IncomingMessage } from "node:http";
import { headerValues, isOurName, type Naming } from "./hosts.ts";
import { type AccessToken, findToken, tokenOf } from "./tokens.ts";

export type GateOptions = {
  naming: () => Naming;
  origins: readonly string[];
  /** Null: none is asked for. */
  tokens: readonly AccessToken[] | null;
};
/** `subject`: whose token opened the gate; null is the user who runs the server. */
export type Admitted = { admitted: true; subject: string | null; token?: AccessToken };
export type Admission = Admitted | { admitted: false; status: 401 | 403; code: string; message: string };
export type AdmissionCheck = (request: Pick<IncomingMessage, "rawHeaders" | "socket">) => Admission;

const NO_TOKEN =
  "a token is needed: send it as `Authorization: Bearer …`, or name its file to `troupe acp connect --token-file`";
const WRONG_TOKEN = "this token is none of the server's: ask whoever runs it";

/** The gate of one server. */
export const gateOf =
  ({ naming, origins, tokens }: GateOptions): AdmissionCheck =>
  (request) => {
    if (!isOurName(request, naming()))
      return refused(403, "USER.SERVE.HOST_REFUSED", "the Host header does not name this server: see --allow-host");
    const given = headerValues(request, "origin");
    if (given.length > 1 || given.some((origin) => !origins.includes(origin)))
      return refused(403, "USER.SERVE.ORIGIN_REFUSED", "this origin is not allowed: see --allow-origin");
    const sites = given.length === 0 ? headerValues(request, "sec-fetch-site") : [];
    if (sites.some((site) => site !== "same-origin" && site !== "none"))
      return refused(403, "USER.SERVE.ORIGIN_REFUSED", "a page of another site asked without an origin");
    if (tokens === null) return { admitted: true, subject: null };
    const said = tokenOf(request);
    const token = findToken(tokens, said);
    if (token === undefined) return refused(401, "USER.SERVE.UNAUTHORIZED", said === null ? NO_TOKEN : WRONG_TOKEN);
    return { admitted: true, subject: token.subject, token };
  };

/** A no, with the error's stable code. */
export const refused = (status: 401 | 403, code: string, message: string): Admission => ({
  admitted: false,
  status,
  code,
  message,
});
