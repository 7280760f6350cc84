/** What the page's way in is defended against, how each defence is taken out, and the attack that it stops. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { House } from "../../support/house.ts";
import { addressIn, ask, openedFile, ownPage, type Pass, passHeaders, signIn, ticketIn } from "../../support/page.ts";
import type { Server } from "../../support/server.ts";
import type { Defence } from "./defence.ts";

const DOOR = "transports/serve/page-door.ts";
const SIGN_INS = "transports/serve/sign-ins.ts";
const OWN = "o".repeat(32);

/** Of a server that asks for a token, opened by its user. */
function opened({ root }: House): string[] {
  const file = join(root, "tokens");
  writeFileSync(file, `${OWN}\n`, { mode: 0o600 });
  return ["--open", "--token-file", file];
}
const ticketOf = async (server: Server): Promise<string> => ticketIn(addressIn(await openedFile(server)));
const isIn = async (what: Promise<unknown>): Promise<boolean> =>
  what.then(
    () => true,
    () => false,
  );
const reads = async ({ port }: Server, pass: Pass): Promise<boolean> =>
  (await ask(port, "/api/runs", { headers: passHeaders(pass) })).status === 200;
/** Whether a request from elsewhere starts a run, with what a page of ours has. */
async function starts({ port }: Server, from: { [name: string]: string }): Promise<boolean> {
  const headers = { ...ownPage(port), ...passHeaders(await signIn(port)), ...from };
  return (await ask(port, "/api/runs", { method: "POST", headers, body: { workflow: "hello" } })).status === 202;
}

export const PAGE_DEFENCES: readonly Defence[] = [
  {
    threat: "T32",
    attack: "a page signs in by a ticket that was used",
    without: [{ file: SIGN_INS, from: "open.filter((one) => !met.includes(one))", to: "open" }],
    args: opened,
    succeeds: async ({ server }) => {
      const ticket = await ticketOf(server);
      await signIn(server.port, { ticket });
      return isIn(signIn(server.port, { ticket }));
    },
  },
  {
    threat: "T32",
    attack: "a page signs in by a ticket whose time is over",
    without: [
      { file: SIGN_INS, from: "until: this.#now() + TICKET_MS", to: "until: this.#now()" },
      { file: SIGN_INS, from: "now < until", to: "true" },
    ],
    scaled: [{ file: SIGN_INS, from: "until: this.#now() + TICKET_MS", to: "until: this.#now()" }],
    args: opened,
    succeeds: async ({ server }) => isIn(signIn(server.port, { ticket: await ticketOf(server) })),
  },
  {
    threat: "T32",
    attack: "a page signs in without a ticket where a token is asked for",
    without: [
      {
        file: "transports/page/site.ts",
        from: "return found && { subject: found.subject, token: found };",
        to: "return { subject: found?.subject ?? null };",
      },
    ],
    args: opened,
    succeeds: ({ server }) => isIn(signIn(server.port)),
  },
  {
    threat: "T32",
    attack: "a server of another port uses the cookie that it was sent",
    without: [
      {
        file: SIGN_INS,
        from: "const isSecret = timingSafeEqual(one.secret, asSecret);",
        to: "const isSecret = true;",
      },
    ],
    args: opened,
    succeeds: async ({ server }) => {
      const { cookie } = await signIn(server.port, { ticket: await ticketOf(server) });
      return reads(server, { cookie, secret: "x" });
    },
  },
  {
    threat: "T32",
    attack: "a page's secret is used from another browser",
    without: [
      {
        file: SIGN_INS,
        from: "const isCookie = timingSafeEqual(one.cookie, asCookie);",
        to: "const isCookie = true;",
      },
    ],
    args: opened,
    succeeds: async ({ server }) => {
      const { secret } = await signIn(server.port, { ticket: await ticketOf(server) });
      return reads(server, { cookie: `troupe-page-${server.port}=x`, secret });
    },
  },
  {
    threat: "T32",
    attack: "a page of another origin starts a run as the page",
    without: [{ file: DOOR, from: "more.length === 0 && origin !== undefined && own.includes(origin)", to: "true" }],
    succeeds: ({ server }) => starts(server, { origin: "http://evil.example" }),
  },
  {
    threat: "T32",
    attack: "a page of another port starts a run as the page",
    without: [
      {
        file: DOOR,
        from: 'isOwnOrigin(request) && siteOf(request) === "same-origin"',
        to: "isOwnOrigin(request)",
      },
    ],
    succeeds: ({ server }) => starts(server, { "sec-fetch-site": "same-site" }),
  },
  {
    threat: "T32",
    attack: "a page of another origin signs itself in",
    without: [{ file: DOOR, from: "otherName(request) ?? writes(request) ?? ok", to: "otherName(request) ?? ok" }],
    succeeds: ({ server: { port } }) => isIn(signIn(port, {}, { origin: "http://evil.example" })),
  },
  {
    threat: "T32",
    attack: "a page whose name was made to point here signs itself in",
    without: [{ file: DOOR, from: "isOurName(request, naming())", to: "true" }],
    succeeds: ({ server: { port } }) => {
      const host = `evil.example:${port}`;
      return isIn(signIn(port, {}, { host, origin: `http://${host}` }));
    },
  },
  {
    threat: "T32",
    attack: "a page of another site shows the page in a frame",
    without: [{ file: DOOR, from: "(isShown(request) ? undefined : reads(request))", to: "undefined" }],
    succeeds: async ({ server: { port } }) => {
      const headers = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" };
      return (await ask(port, "/", { headers })).status === 200;
    },
  },
];
