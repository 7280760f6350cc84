/** The docs as a site, built as `npm run site` does and read from the disk in a real Chromium. Skipped by name where there is none. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import { barriers, NARROW, pageAt, WIDE, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

describe.skipIf(BROWSER === null)("the site of the docs in Chromium (skipped where there is none)", () => {
  let chromium: Chromium;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "troupe-site-"));
    execFileSync(process.execPath, [join(ROOT, ".ci", "site.mjs"), join(folder, "site")], { cwd: ROOT });
    chromium = await Chromium.start(BROWSER as string);
  });
  afterAll(async () => {
    await chromium.leave();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = (path: string, look = WIDE) =>
    pageAt({ chromium }, pathToFileURL(join(folder, "site", path)).href, look);

  test("what is looked for is found, and leads there; nothing is asked of another host", async () => {
    const page = await open("docs/tutorial/01-a-first-run.html");
    const requests = await page.requests();
    await page.type("#site-search", "budg");
    await page.finds('document.querySelectorAll("#site-results a").length > 3');
    await page.click("#site-results a");
    await page.finds(
      'document.querySelector("h1") !== null && /udget/.test(document.querySelector("main").textContent)',
    );
    const names = await open("docs/api/client.html");
    await names.type("#site-search", "AskPermission");
    await names.finds(
      'document.querySelector("#site-results a")?.getAttribute("href")?.endsWith("api/client.html#askpermission")',
    );
    expect(requests.filter((url) => !url.startsWith("file:"))).toEqual([]);
    expect(await wrongIn(await open("index.html"))).toEqual([]);
  });

  test.each([
    ["index.html", WIDE],
    ["index.html", NARROW],
    ["docs/tutorial/07-when-it-fails.html", WIDE],
    ["docs/cookbook/index.html", NARROW],
    ["docs/guide.html", { ...WIDE, dark: true }],
    ["docs/language.html", WIDE],
    ["docs/errors.html", { ...NARROW, dark: true }],
    ["docs/api/client.html", WIDE],
    ["docs/api/troupe.html", NARROW],
  ])("axe finds nothing serious: %s %j", async (path, look) => {
    const page = await open(path, look);
    await page.sees("main");
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});
