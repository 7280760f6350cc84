/** A run on the page as a person uses it, in a real Chromium. Skipped by name where there is none. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { addressIn, NO_BROWSER, openedFile } from "../support/page.ts";
import { barriers, goTo, NARROW, openedPage, openScene, pageAt, pictured, type Scene, WIDE, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const ALLOW = '.ask button[data-kind="allow_once"]';
const asks = (page: Page, text: string): Promise<string> => page.sees(".ask", text);
const seqOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.querySelector(".where").dataset.seq'));

describe.skipIf(BROWSER === null)("the page in Chromium (skipped where there is none)", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
  });
  afterAll(() => scene.leave());

  test("a live run is watched, answered, gone back through, shared and exported", async () => {
    const page = await openedPage(scene);
    const requests = await page.requests();
    await page.sees("h1", "Runs");
    // The ticket is out of the address.
    expect(await page.evaluate("location.href")).not.toContain("open=");

    // Started by the form.
    await goTo(page, "/workflow/release");
    await page.type('textarea[name="version"]', "2.4.0");
    await page.sees("h1", "release");
    await asks(page, "May the agent use Edit");
    const run = String(await page.evaluate('location.hash.split("/")[2].split("?")[0]'));

    // Three agents side by side, one of them asks; its edit stands beside the question.
    await page.finds(
      `[...document.querySelectorAll(".lane .step")].filter((one) => /tests|security|docs/.test(one.textContent)).length === 3`,
    );
    expect(await page.texts(".ask figcaption")).toEqual(["guide.md"]);
    expect(await page.texts(".ask .side.come code")).toContain("A line that begins with `#` is a comment.");
    await page.sees(".chip.waiting");
    await page.finds('document.title === "? release · Troupe"');
    const before = await seqOf(page);
    await pictured(page, "run");
    await page.click(ALLOW);

    // The list, meanwhile.
    await asks(page, "Sign and ship 2.4.0?");
    await page.click(".back");
    await page.sees(".group h2", "Waits for you");
    await page.sees(".runs .asks-for");
    await page.finds('document.title === "(1) Troupe"');
    await page.click(".runs a");
    await asks(page, "Sign and ship 2.4.0?");
    await page.click(ALLOW);
    await page.sees(".run-head .chip.completed");
    await page.finds('document.title === "✓ release · Troupe"');

    // Back to before the answer.
    await goTo(page, `/run/${run}?seq=${before}`);
    await page.sees(".past", `row ${before}`);
    await page.sees(".run-head .chip.waiting");
    await page.sees('[data-node="sign"][aria-label*="not reached"]');
    await page.press("ArrowLeft");
    await page.finds(`!document.querySelector(".past")?.textContent.includes("row ${before}.")`);
    await page.press("l");
    await page.finds(`document.querySelector(".past") === null`);

    // The called workflow in place.
    await page.click('[data-fold="ship"]');
    await page.sees('[data-node="publish"][aria-label*="1 retried"]');

    // The one round of 200 that failed.
    expect((await page.texts(".cell")).length).toBe(200);
    await page.click(".failed-round");
    await page.sees(".step-head h2", "probe");
    await page.sees(".step-body", "probe 137: 503 Service Unavailable");
    await page.sees(".step-head .facts", "watch[137]/probe");
    await pictured(page, "round");

    // From the loop on it is run again, now that what it looks after is well.
    writeFileSync(join(scene.house.cwd, "healthy"), "");
    await page.click(".again-here");
    await page.sees(".rerun option:checked", "watch[137]/probe; what was before it");
    await pictured(page, "again");
    await page.click(".rerun .primary");
    await page.sees(".again-of", "from watch[137]");
    await page.sees(".run-head .chip.completed");
    await page.sees('[data-node="plan"].taken');
    expect(await page.texts(".failed-round")).toEqual([]);
    const again = String(await page.evaluate('location.hash.split("/")[2].split("?")[0]'));
    expect(again).not.toBe(run);
    rmSync(join(scene.house.cwd, "healthy"));

    // The link shows the same to another user of this server.
    await goTo(page, `/run/${run}?step=review%2Fdocs&seq=${before}`);
    await page.sees(".step-head h2", "Mend the guide");
    const seen = async (one: Page) => [
      await one.texts(".step-pane"),
      await one.texts(".lane"),
      await one.texts(".where"),
    ];
    await page.sees(".step-pane", "not answered yet"); // it was read
    const shown = await seen(page);
    const other = await pageAt(scene, String(await page.evaluate("location.href")));
    await other.sees(".step-head h2", "Mend the guide");
    await other.sees(".past", `row ${before}`);
    await other.finds(`document.querySelectorAll('[data-node="plan"].completed').length`);
    await vi.waitFor(async () => expect(await seen(other)).toEqual(shown), { timeout: 20_000, interval: 200 });

    // One file, without the server.
    await goTo(page, `/run/${run}`);
    await page.finds(`document.querySelector(".past") === null`);
    const file = await page.saves(scene.house.root, () =>
      page.evaluate(
        `[...document.querySelectorAll(".acts button")].find((one) => one.textContent === "Export").click()`,
      ),
    );
    expect(readFileSync(file, "utf8")).toContain("script-src 'sha256-");
    const offline = await pageAt(scene, `${pathToFileURL(file).href}#/run/${run}?seq=${before}`);
    const asked = await offline.requests();
    await offline.sees(".past", `row ${before}`);
    await offline.sees('[data-node="docs"].waiting');
    await offline.press("l");
    await offline.sees(".run-head .chip.completed");
    await offline.click('[data-fold="ship"]');
    await offline.sees('[data-node="publish"][aria-label*="1 retried"]');
    expect(asked).toEqual([]);

    for (const one of [page, other, offline]) expect(await wrongIn(one)).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(scene.api.at) && !url.startsWith("blob:"))).toEqual([]);
  });

  test("what a hostile run says is text", async () => {
    const { run } = await scene.api.start("hostile");
    const page = await pageAt(scene, `${scene.api.at}/#/run/${run}?step=talk`);
    const requests = await page.requests();
    await page.sees(".run-head .chip.completed");
    await page.sees(".prose", "[picture: picture]");
    await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true`);
    await page.sees(".prose", '<img src="http://evil.example/a.png"');
    await page.sees(".prose", "\\u202egnp.exe");
    await page.sees(".prose", "שלום עולם");
    await page.sees(".tool .words", "link red");
    await goTo(page, `/run/${run}?step=flood`);
    await page.sees(".step-body", "characters before this are not shown");
    await page.sees(".step-body .words", "</script><script>globalThis.owned=10</script>");
    for (const tab of ["As written", "Rows"]) {
      await page.evaluate(
        `[...document.querySelectorAll("[role=tab]")].find((one) => one.textContent === "${tab}").click()`,
      );
      await page.sees('[role="tab"][aria-selected="true"]', tab);
    }
    expect(await page.evaluate("globalThis.owned ?? null")).toBe(null);
    expect(
      await page.evaluate(
        `document.querySelectorAll("#page img, #page script, #page iframe, #page b, #page a[href^=javascript]").length`,
      ),
    ).toBe(0);
    expect(requests.filter((url) => url.includes("evil"))).toEqual([]);
    expect(await wrongIn(page)).toEqual([]);
  });

  test("`run --watch` opens the page of its run, and lets in who has the ticket", async () => {
    const env = { TROUPE_TRUST: "1", ...NO_BROWSER };
    const started = scene.house.troupe(["run", "release", "-i", "version=9", "--watch"], env);
    const page = await pageAt(scene, addressIn(await openedFile({ process: started })));
    await page.sees(".run-head h1", "release");
    await asks(page, "May the agent use Edit");
    const at = String(await page.evaluate("location.href"));
    expect(at).toMatch(/#\/run\/[\w-]+$/);
    expect((await fetch(new URL("/api/runs", at))).status).toBe(401);
    expect(await wrongIn(page)).toEqual([]);
    started.child.kill("SIGINT");
    expect((await started.ended).code).toBe(130);
  });

  test("what is looked for is found in older runs than are listed", async () => {
    const { run } = await scene.api.start("hostile");
    await scene.api.whole(run);
    for (let many = 0; many < 205; many += 5)
      await Promise.all(Array.from({ length: 5 }, async () => scene.api.whole((await scene.api.start("hello")).run)));
    const page = await pageAt(scene, `${scene.api.at}/`);
    await page.sees(".list > .hint", "Older ones than the last 200");
    const isListed = `document.querySelector('.runs a[href="#/run/${run}"]') !== null`;
    expect(await page.evaluate(isListed)).toBe(false);
    await page.press("/");
    await page.evaluate(`document.execCommand("insertText", false, "hostile")`);
    await page.finds(isListed);
    expect(await wrongIn(page)).toEqual([]);
  });

  test.each([
    ["light", WIDE],
    ["dark", { ...WIDE, dark: true }],
    ["360 px, still", { ...NARROW, still: true }],
  ])("axe finds nothing serious: %s", async (name, look) => {
    const { run } = await scene.api.start("release", { inputs: { version: "3" } });
    const page = await pageAt(scene, `${scene.api.at}/#/run/${run}`, look);
    await asks(page, "May the agent use Edit");
    const found: unknown[] = [await barriers(page)];
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    if (name === "dark") await pictured(page, "dark");
    if (look.width === NARROW.width) {
      for (const pane of ["Timeline", "Step"]) {
        await page.evaluate(
          `[...document.querySelectorAll(".pane-tabs button")].find((one) => one.textContent === "${pane}").click()`,
        );
        await page.sees('.pane-tabs [aria-selected="true"]', pane);
        found.push(await barriers(page));
        if (pane === "Timeline") await pictured(page, "narrow");
      }
      expect(
        await page.evaluate(
          `getComputedStyle(document.querySelector(".glyph.running path") ?? document.body).animationName`,
        ),
      ).toBe("none");
    }
    await goTo(page, "/");
    await page.sees("h1", "Runs");
    await page.sees(".runs strong");
    found.push(await barriers(page));
    await goTo(page, "/workflow/release");
    await page.sees(".start h2", "Start a run");
    found.push(await barriers(page));
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(found.flat()).toEqual([]);
    await scene.api.post(`/api/runs/${run}/cancel`);
  });
});
