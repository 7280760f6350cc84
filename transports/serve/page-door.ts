/**
 * How the page comes in: its files, its sign-in, and what it asks when it has signed in. Beside the gate, which refuses
 * every origin that is not listed, our own too.
 *
 * I1. Our own origin counts for a page that has signed in (`sign-ins.ts`), and for the sign-in itself. Where TLS ends
 *     before us, it is `https` for the browser; a port speaks one of both.
 * I2. What writes must say that it comes from a page of ours, by `Origin` and by `Sec-Fetch-Site`.
 * I3. The page's files hold nothing of any user: they are given without a token, and to a link of another site too, but
 *     only to be shown as a page.
 */
import type { IncomingMessage } from "node:http";
import { type Admission, type AdmissionCheck, refused } from "./admission.ts";
import { headerValues, isOurName, type Naming } from "./hosts.ts";
import type { SignIns } from "./sign-ins.ts";
import type { AccessToken } from "./tokens.ts";

/** The header that carries a page's secret. */
export const SECRET_HEADER = "troupe-page";
/** Cookies of a name go to every port of it: servers of other ports have cookies of their own. */
export const cookieName = (port: number): string => `troupe-page-${port}`;

type DoorOptions = {
  naming: () => Naming;
  scheme: "http" | "https";
  signIns: SignIns;
  /** As in `GateOptions`. */
  tokens: readonly AccessToken[] | null;
};
type Asked = Pick<IncomingMessage, "method" | "rawHeaders" | "socket">;
export type PageDoors = {
  /** For the page's files. */
  files: AdmissionCheck;
  /** For the request that signs a page in. */
  signIn: AdmissionCheck;
  /** For a page that has signed in; undefined where none has, and the gate decides. */
  signedIn: (request: Asked) => Admission | undefined;
};

export function pageDoors({ naming, scheme, signIns, tokens }: DoorOptions): PageDoors {
  const otherName = (request: Asked): Admission | undefined =>
    isOurName(request, naming())
      ? undefined
      : refused(403, "USER.SERVE.HOST_REFUSED", "the Host header does not name this server: see --allow-host");
  const isOwnOrigin = (request: Asked): boolean => {
    const [origin, ...more] = headerValues(request, "origin");
    const own = [`${scheme}://${hostOf(request)}`, `https://${hostOf(request)}`];
    return more.length === 0 && origin !== undefined && own.includes(origin);
  };
  const writes = (request: Asked): Admission | undefined =>
    isOwnOrigin(request) && siteOf(request) === "same-origin"
      ? undefined
      : refused(
          403,
          "USER.SERVE.ORIGIN_REFUSED",
          "this is no page of ours by its Origin and Host: docs/serve.md says what a proxy passes on",
        );
  const reads = (request: Asked): Admission | undefined => {
    const isElsewhere = headerValues(request, "origin").length > 0 && !isOwnOrigin(request);
    const site = siteOf(request);
    return isElsewhere || (site !== null && site !== "same-origin" && site !== "none")
      ? refused(403, "USER.SERVE.ORIGIN_REFUSED", "a page of another site asked")
      : undefined;
  };
  const ok: Admission = { admitted: true, subject: null };
  return {
    files: (request) => otherName(request) ?? (isShown(request) ? undefined : reads(request)) ?? ok,
    signIn: (request) => otherName(request) ?? writes(request) ?? ok,
    signedIn: (request) => {
      const given = givenBy(request, naming().port);
      const page = given === undefined ? undefined : signIns.whose(given);
      if (page === undefined || (page.token !== undefined && tokens?.includes(page.token) !== true)) return undefined;
      const check = isRead(request) ? reads : writes;
      return (
        otherName(request) ??
        check(request) ?? { admitted: true, subject: page.subject, ...(page.token && { token: page.token }) }
      );
    },
  };
}

const isRead = ({ method }: Asked): boolean => method === "GET" || method === "HEAD";
/** I3: not as a frame, a picture or a script of another page. */
const isShown = (request: Asked): boolean =>
  isRead(request) &&
  headerValues(request, "sec-fetch-dest").join() === "document" &&
  headerValues(request, "origin").length === 0;

/** "" where there are several. */
function siteOf(request: Asked): string | null {
  const sites = headerValues(request, "sec-fetch-site");
  return sites.length === 0 ? null : sites.length === 1 ? (sites[0] ?? "") : "";
}
const hostOf = (request: Asked): string =>
  (headerValues(request, ":authority")[0] ?? headerValues(request, "host")[0] ?? "").toLowerCase();

/** The cookie and the secret, where there is one of each. */
function givenBy(request: Asked, port: number): { cookie: string; secret: string } | undefined {
  const name = `${cookieName(port)}=`;
  const cookies = headerValues(request, "cookie")
    .flatMap((line) => line.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  const secrets = headerValues(request, SECRET_HEADER);
  const [[cookie], [secret]] = [cookies, secrets];
  if (cookie === undefined || secret === undefined || cookies.length + secrets.length > 2) return undefined;
  return { cookie: cookie.slice(name.length), secret };
}
