import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { SocketClient } from "../../support/server.ts";
import { at, comesIn, OWN, roundTrip, THEIRS, tokens, upgrades } from "./attempts.ts";
import { BODY_DEFENCES } from "./body-defences.ts";
import type { Defence } from "./defence.ts";
import { INSPECT_DEFENCES } from "./inspect-defences.ts";
import { LIMIT_DEFENCES } from "./limit-defences.ts";
import { PAGE_DEFENCES } from "./page-defences.ts";

export const DEFENCES: readonly Defence[] = [
  {
    threat: "T1",
    attack: "a page of another origin connects",
    without: [
      { file: "transports/serve/admission.ts", from: "given.some((origin) => !origins.includes(origin))", to: "false" },
    ],
    succeeds: ({ server }) => comesIn(server, { origin: "https://evil.example" }),
  },
  {
    threat: "T1",
    attack: "a request carries two origins, both of them listed",
    without: [{ file: "transports/serve/admission.ts", from: "given.length > 1 || ", to: "" }],
    args: () => ["--allow-origin", "https://a.example", "--allow-origin", "https://b.example"],
    succeeds: ({ server: { port } }) => upgrades(port, ["Origin: https://a.example", "Origin: https://b.example"]),
  },
  {
    threat: "T1",
    attack: "a page of another site has a picture or a link fetched, which brings no origin",
    without: [
      {
        file: "transports/serve/admission.ts",
        from: 'site !== "same-origin" && site !== "none"',
        to: "site === undefined",
      },
    ],
    succeeds: ({ server: { port } }) => upgrades(port, ["Sec-Fetch-Site: cross-site"]),
  },
  {
    threat: "T2",
    attack: "a page whose name was made to point here connects",
    without: [{ file: "transports/serve/admission.ts", from: "!isOurName(request, naming())", to: "false" }],
    succeeds: ({ server }) => comesIn(server, { host: `evil.example:${server.port}` }),
  },
  {
    threat: "T3",
    attack: "a client without the token connects",
    without: [{ file: "transports/serve/admission.ts", from: "findToken(tokens, said)", to: "tokens[0]" }],
    args: tokens,
    succeeds: ({ server }) => comesIn(server, { authorization: `Bearer ${"x".repeat(32)}` }),
  },
  ...BODY_DEFENCES,
  {
    threat: "T17",
    attack: "a principal loads the session of another",
    without: [{ file: "transports/serve/listener.ts", from: "own.as(`token:${subject}`, cwd)", to: "own" }],
    args: tokens,
    succeeds: async ({ server, house }) => {
      const ann = await SocketClient.ready(server.url, { headers: { authorization: `Bearer ${OWN}` } });
      const mallory = await SocketClient.ready(server.url, { headers: { authorization: `Bearer ${THEIRS}` } });
      const { error } = await mallory.request("session/load", at(house, await ann.session(house.cwd)));
      return error === undefined;
    },
  },
  {
    threat: "T17",
    attack: "a principal looks into a directory that the user of the server does not trust",
    without: [
      { file: "actors/facade/shown-place.ts", from: "principal === null) return", to: 'principal !== "") return' },
    ],
    args: tokens,
    env: { TROUPE_TRUST: "" },
    succeeds: async ({ server: { port }, house }) => {
      const other = join(house.root, "other");
      cpSync(join(house.cwd, ".troupe"), join(other, ".troupe"), { recursive: true });
      const listed = (cwd: string): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}/api/workflows?cwd=${encodeURIComponent(cwd)}`, {
          headers: { authorization: `Bearer ${THEIRS}` },
        });
      expect((await listed(house.cwd)).status).toBe(200); // the one that is served
      return (await (await listed(other)).text()).includes('"gate"');
    },
  },
  {
    threat: "T17",
    attack: "a viewer decides what another was asked",
    without: [
      {
        file: "transports/acp/attended-session.ts",
        from: "this.#attendance?.isAsked !== true || client",
        to: "client",
      },
    ],
    succeeds: async ({ server, house }) => {
      const [asked, viewer] = [await SocketClient.ready(server.url), await SocketClient.ready(server.url)];
      const session = await asked.session(house.cwd);
      await viewer.request("session/load", at(house, session));
      viewer.decide = () => "allow";
      void asked.prompt(session, "/gate");
      await asked.asked();
      await viewer.hears("May the gate be opened?");
      await roundTrip(viewer);
      return viewer.trace.some(({ message }) => message["method"] === "session/request_permission");
    },
  },
  {
    threat: "T18",
    attack: "a connection hears of a session that it has not loaded",
    without: [
      {
        file: "transports/acp/connection.ts",
        from: 'this.offer.switches.notify === "broadcast" ? (service.room ?? null) : null',
        to: "service.room ?? null",
      },
    ],
    succeeds: async ({ server, house }) => {
      const [own, other] = [await SocketClient.ready(server.url), await SocketClient.ready(server.url)];
      await other.session(house.cwd);
      const session = await own.session(house.cwd);
      await own.prompt(session, "/hello");
      await roundTrip(other);
      return other.trace.some(({ message }) => JSON.stringify(message).includes(session));
    },
  },
  {
    threat: "T18",
    attack: "where others can come in, a connection hears of all sessions by broadcast",
    without: [{ file: "transports/serve/listener.ts", from: "config.isLoopback ? { room", to: "true ? { room" }],
    args: (house) => ["--listen", "0.0.0.0:0", ...tokens(house), "--insecure-no-tls", "--profile", "ski"],
    succeeds: async ({ server, house }) => {
      const url = `ws://127.0.0.1:${server.port}/acp`;
      const headers = { authorization: `Bearer ${OWN}` };
      const [own, other] = [await SocketClient.ready(url, { headers }), await SocketClient.ready(url, { headers })];
      const session = await own.session(house.cwd);
      await own.prompt(session, "/hello");
      await roundTrip(other);
      return other.trace.some(({ message }) => JSON.stringify(message).includes(session));
    },
  },
  ...LIMIT_DEFENCES,
  ...PAGE_DEFENCES,
  ...INSPECT_DEFENCES,
];
