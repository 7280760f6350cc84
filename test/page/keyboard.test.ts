/** The page by keyboard, and what it says to readers of screens, in a real Chromium. Skipped by name where there is none. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { goTo, openScene, pageAt, type Scene, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const scrolled = (page: Page): Promise<unknown> => page.evaluate('document.querySelector(".canvas").scrollLeft');

describe.skipIf(BROWSER === null)("the page by keyboard (skipped where there is no Chromium)", () => {
  let scene: Scene;
  let page: Page;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
    const { run } = await scene.api.start("hello");
    await scene.api.whole(run);
    page = await pageAt(scene, `${scene.api.at}/`);
    await page.sees(".runs strong", "hello");
    await goTo(page, `/run/${run}`);
    await page.sees(".run-head h1", "hello");
    await page.sees(".lane .step");
  });
  afterAll(async () => {
    expect(await wrongIn(page)).toEqual([]);
    await scene.leave();
  });

  test("arrows move what is wider than its place, while it has the focus", async () => {
    await page.evaluate('document.querySelector(".canvas svg").style.minWidth = "4000px"');
    await page.evaluate('document.querySelector(".canvas").focus()');
    await page.press("ArrowRight");
    await expect.poll(() => scrolled(page)).toBeGreaterThan(0);
    const far = Number(await scrolled(page));
    await page.press("ArrowLeft");
    await expect.poll(() => scrolled(page)).toBeLessThan(far);
    expect(await page.evaluate('document.querySelector(".past")')).toBe(null);
    await page.evaluate("document.activeElement.blur()");
    await page.press("ArrowLeft");
    await page.sees(".past");
    await page.press("l");
    await page.finds('document.querySelector(".past") === null');
  });

  test("arrows, Home and End lead through tabs", async () => {
    const chosen = '.tabs [role="tab"][aria-selected="true"]';
    await page.evaluate(`document.querySelector('${chosen}').focus()`);
    for (const [key, tab] of [
      ["ArrowRight", "As written"],
      ["End", "Rows"],
      ["ArrowRight", "Activity"],
      ["ArrowLeft", "Rows"],
      ["Home", "Activity"],
    ] as const) {
      await page.press(key);
      await page.sees(chosen, tab);
      expect(await page.evaluate("document.activeElement.textContent")).toBe(tab);
      expect(await page.texts('.tabs [tabindex="0"]')).toEqual([tab]);
    }
    expect(await page.evaluate('document.querySelector(".past")')).toBe(null);
  });

  test("what is chosen is said", async () => {
    await page.click(".lane .step");
    await page.sees('.lane.chosen .step[aria-current="true"]');
    await page.sees('[data-node].chosen[aria-current="true"]');
    expect(await page.evaluate(`document.querySelectorAll("[data-node][aria-current]").length`)).toBe(1);
    await goTo(page, "/");
    await page.sees('.runs .chosen a[aria-current="true"]');
    expect(await page.evaluate(`document.querySelectorAll(".runs [aria-current]").length`)).toBe(1);
  });
});
