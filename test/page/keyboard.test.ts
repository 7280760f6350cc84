/** The page by keyboard, and what it says to readers of screens, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { barriers, goTo, NARROW, openScene, pageAt, type Scene, WIDE, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const ROW = `name: row
states:
  initial: s0
${Array.from({ length: 39 }, (_, at) => `  s${at}: {type: step, command: "true", on_success: s${at + 1}}`).join("\n")}
  s39: {type: step, command: "false", on_success: done}
  done: {type: terminal}
`;
const ASKS = `name: asks
states:
  initial: s0
${Array.from({ length: 9 }, (_, at) => `  s${at}: {type: step, command: "true", on_success: ${at === 8 ? "last" : `s${at + 1}`}}`).join("\n")}
  last: {type: ask, message: "A\\nB\\nC\\nD", questions: [{name: one, prompt: One?}, {name: two, prompt: Two?}], on_success: done}
  done: {type: terminal}
`;
/** The graph comes into view anew when its file was read. */
const HAS_CHART = `performance.getEntriesByType("resource").some(({ name }) => name.includes("/api/workflows/"))`;
/** Whether an element is seen whole in its pane. */
const isIn = (one: string, pane: string): string => `(() => {
  const [{ top, bottom }, around] = ["${one}", "${pane}"].map((it) => document.querySelector(it)?.getBoundingClientRect() ?? {});
  return top >= around.top - 1 && bottom <= around.bottom + 1;
})()`;
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
    await expect.poll(() => page.evaluate(HAS_CHART)).toBe(true);
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
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

  test("a run opens where it stands, and the keys go on from there", async () => {
    writeFileSync(join(scene.house.cwd, ".troupe", "workflows", "row.yaml"), ROW);
    const { run } = await scene.api.start("row");
    await scene.api.whole(run);
    await goTo(page, `/run/${run}`);
    await page.sees(".lane.chosen", "s39");
    for (const [one, pane] of [
      [".lane.chosen", ".timeline-pane"],
      [".node.chosen", ".canvas"],
    ] as const)
      await expect.poll(() => page.evaluate(isIn(one, pane)), { message: one }).toBe(true);
    await page.press("k");
    await page.sees(".lane.chosen", "s38");

    // Where one pane is seen at a time, each opens there too.
    await page.looks(NARROW);
    for (const [key, one, pane] of [
      ["t", ".lane.chosen", ".timeline-pane"],
      ["g", ".node.chosen", ".canvas"],
    ] as const) {
      await page.press(key);
      await expect.poll(() => page.evaluate(isIn(one, pane)), { message: one }).toBe(true);
    }
    await page.looks(WIDE);
  });

  test("zoomed to double its size, each part has its room, and the page opens at its head", async () => {
    writeFileSync(join(scene.house.cwd, ".troupe", "workflows", "asks.yaml"), ASKS);
    const { run } = await scene.api.start("asks");
    await page.looks({ width: WIDE.width / 2, height: WIDE.height / 2 });
    await goTo(page, `/run/${run}`);
    await page.sees(".lane.chosen", "last");
    await page.sees(".ask");
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.press("s");
    const roomOf = (selector: string): Promise<unknown> =>
      page.evaluate(`document.querySelector("${selector}").clientHeight`);
    await expect.poll(() => roomOf(".step-body")).toBeGreaterThan(150);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await page.looks(WIDE);
  });
});
