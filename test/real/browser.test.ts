/**
 * Pages in a real Chromium, with a server on this machine: over a socket with the protocol's SDK, and over HTTP with
 * the browser's own EventSource. TROUPE_CHROMIUM names the browser, or the first on the PATH is used. Where there is
 * none, the tests are skipped and say so.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Api } from "../support/api.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import { Relay } from "../support/relay.ts";
import { type Server, startServer } from "../support/server.ts";
import { Chromium, findChromium } from "./browser/chromium.ts";
import type { Page } from "./browser/page.ts";
import { Site } from "./browser/site.ts";

const TRUST = { TROUPE_TRUST: "1" };
const program = findChromium();

let browser: Chromium;
let site: Site;
let house: House;

describe.skipIf(program === null)(
  program === null ? "Chromium, skipped: TROUPE_CHROMIUM names none, and there is none on the PATH" : "Chromium",
  () => {
    beforeAll(async () => {
      [browser, site] = await Promise.all([Chromium.start(program ?? ""), Site.open()]);
    });
    afterAll(async () => {
      await browser?.leave();
      await site?.leave();
    });
    beforeEach(() => {
      house = openHouse(["acceptance/interview.yaml"]);
    });
    afterEach(() => house.leave());

    const serve = (...args: string[]): Promise<Server> =>
      startServer(house, ["--allow-origin", site.origin("127.0.0.1"), ...args], TRUST);
    const agentPage = (server: Server, name: "127.0.0.1" | "localhost"): Promise<Page> =>
      browser.page(site.page(site.origin(name), "acp", { agent: server.url, cwd: house.cwd }));
    const endsOf = (session: string): string[] =>
      storedRows(house.store, session).flatMap((row) => {
        if (row.type === "permission.resolved") return [row.payload.outcome];
        if (row.type === "input.answered") return [row.payload.text];
        return row.type === "run.completed" ? [row.payload.status] : [];
      });

    test("T1: a page of an allowed origin runs a workflow, clicks a permission, answers a parked question, sees the end", async () => {
      const page = await agentPage(await serve(), "127.0.0.1");
      const [session = ""] = (await page.sees("#state", "ready for turn 1")).split(" ");
      await page.type("input", "/interview");
      await page.click("button.allow_once");
      await page.sees("#state", "ready for turn 2");
      expect(endsOf(session)).toEqual(["selected"]);
      await page.type("input", "Ann");
      await page.sees("#state", "ready for turn 3");
      await page.type("input", "");
      await page.sees("#state", "ready for turn 4");
      const seen = await page.texts("#seen li");
      expect(seen.filter((text) => text.startsWith("turn"))).toEqual([1, 2, 3].map((turn) => `turn ${turn}: end_turn`));
      expect(seen.join("")).toContain("The interview is over.");
      expect(endsOf(session)).toEqual(["selected", "Ann", "", "completed"]);
    });

    test("T1: a page of another origin is refused, and reaches no agent", async () => {
      const server = await serve();
      const page = await agentPage(server, "localhost");
      await page.sees("#state", "over");
      await expect.poll(() => server.process.stderr).toContain("refused a connection: this origin is not allowed");
      const other = await browser.page(
        site.page(site.origin("localhost"), "events", { api: new Api(server).at, workflow: "interview" }),
      );
      await other.sees("#state", "over");
      await expect.poll(() => server.process.stderr).toContain("refused a request: this origin is not allowed");
      // The first request opens the store.
      expect(await new Api(server).get("/api/runs")).toMatchObject({ status: 200, body: { runs: [] } });
      expect(storedSessions(house.store)).toEqual([]);
    });

    test("an EventSource that is cut off again and again comes back by itself, without a gap or a repeat", async () => {
      const way = await Relay.open();
      const server = await serve("--allow-host", `127.0.0.1:${way.port}`);
      way.mend(server.port);
      const api = new Api(server);
      const page = await browser.page(
        site.page(site.origin("127.0.0.1"), "events", { api: new Api(way).at, workflow: "interview" }),
      );
      const [session = "", run = ""] = (await page.sees("#state", "open")).split(" ");
      const [asked] = await Promise.all([page.sees("#seen li", "permission.requested"), page.sees("button")]);
      // Decisions and questions while the page is away reach it when it is back.
      way.close();
      await page.sees("#state", "connecting");
      const { permission, options } = permissionIn(session);
      const option = options.find(({ kind }) => kind === "allow_once")?.id;
      expect(await api.post(`/api/runs/${run}/decide`, { permission, option })).toMatchObject({ status: 204 });
      await expect.poll(() => storedRows(house.store, session).map(({ type }) => type)).toContain("input.required");
      expect((await page.texts("#seen li")).at(-1)).toBe(asked);
      way.mend(server.port);
      await page.sees("#seen li", "input.required");
      await page.type("input", "Ann");
      await page.sees("#seen li", "input.answered");
      way.cut();
      await page.sees("#state", "connecting");
      await page.sees("#state", "open");
      await page.type("input", "");
      await page.sees("#seen li", "run.completed");
      await page.sees("#state", "over");
      const rows = storedRows(house.store, session).filter((row) => row.run === run);
      expect(await page.texts("#seen li")).toEqual(rows.map(({ seq, type }) => `${seq} ${type}`));
      expect(endsOf(session)).toEqual(["selected", "Ann", "", "completed"]);
      await way.leave();
    });

    const permissionIn = (session: string) => {
      const row = storedRows(house.store, session).find(({ type }) => type === "permission.requested");
      if (row?.type !== "permission.requested") throw new Error("nothing was asked");
      return row.payload;
    };
  },
);
