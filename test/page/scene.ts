/** A server with workflows, a browser, and the page in it. Nothing here waits by time. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Chromium } from "../real/browser/chromium.ts";
import type { Page, PageLook } from "../real/browser/page.ts";
import { Api } from "../support/api.ts";
import { type House, openHouse } from "../support/house.ts";
import { addressIn, NO_BROWSER, openedFile } from "../support/page.ts";
import { type Server, startServer } from "../support/server.ts";

const PICTURES = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const AXE = fileURLToPath(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url));
export const WIDE: PageLook = { width: 1360, height: 860 };
export const NARROW: PageLook = { width: 360, height: 740 };

/** What a page says of itself that went wrong: errors, and what its policy has stopped. */
const WATCH = `{
  globalThis.wrong = [];
  addEventListener("error", (event) => wrong.push(event.message));
  addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
  document.addEventListener("securitypolicyviolation", (event) => wrong.push(event.violatedDirective + " " + event.blockedURI));
}`;

export type Scene = { house: House; server: Server; api: Api; chromium: Chromium; leave: () => Promise<void> };

export async function openScene(browser: string, args: readonly string[] = []): Promise<Scene> {
  const house = openHouse(["page/release.yaml", "page/ship.yaml", "page/hostile.yaml", "acceptance/hello.yaml"]);
  const server = await startServer(house, ["--open", ...args], { TROUPE_TRUST: "1", ...NO_BROWSER });
  const chromium = await Chromium.start(browser);
  const leave = async (): Promise<void> => {
    await chromium.leave();
    await house.leave();
  };
  return { house, server, api: new Api(server), chromium, leave };
}

/** The page as `serve --open` opens it. */
export const openedPage = async ({ chromium, server }: Scene, look = WIDE): Promise<Page> =>
  watched(await chromium.page(addressIn(await openedFile(server))), look);
/** The page at an address of it. */
export const pageAt = async ({ chromium }: Pick<Scene, "chromium">, url: string, look = WIDE): Promise<Page> =>
  watched(await chromium.page(url), look);

async function watched(page: Page, look: PageLook): Promise<Page> {
  await page.evaluate(WATCH);
  await page.looks(look);
  return page;
}
export const wrongIn = (page: Page): Promise<unknown> => page.evaluate("wrong");
export const goTo = async (page: Page, place: string): Promise<void> =>
  void (await page.evaluate(`location.hash = ${JSON.stringify(place)}`));

/** For the docs; null where no pictures are asked for. */
export async function pictured(page: Page, name: string): Promise<void> {
  if (process.env["TROUPE_PICTURES"] !== "1") return;
  mkdirSync(PICTURES, { recursive: true });
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  writeFileSync(join(PICTURES, `page-${name}.png`), await page.picture());
}

/** What axe finds that is serious: each as its rule and the elements that break it. */
export async function barriers(page: Page): Promise<unknown> {
  // The page's own policy lets no script in; the debugger is let past it.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(readFileSync(AXE, "utf8"));
  return page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => [id, ...nodes.slice(0, 4).map(({ html, failureSummary }) => html.slice(0, 160) + " :: " + failureSummary.slice(0, 200))]))`,
  );
}
