/** The page on a telephone of 320 px, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import { barriers, goTo, openScene, pageAt, type Scene, wrongIn } from "./scene.ts";

const BROWSER = findChromium();

describe.skipIf(BROWSER === null)("the page at 320 px (skipped where there is no Chromium)", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
  });
  afterAll(() => scene.leave());

  test("shows what is said of a workflow whole, however long its words", async () => {
    const file = join(scene.house.cwd, ".troupe", "workflows", "wordy.yaml");
    const steps =
      "initial: q\n  q: {type: ask, questions: [{name: a, prompt: A}], on_success: done}\n  done: {type: terminal}";
    writeFileSync(file, `name: wordy\ndescription: ${"word".repeat(30)}\nstates:\n  ${steps}\n`);
    const page = await pageAt(scene, `${scene.api.at}/#/workflows`, { width: 320, height: 700 });
    await page.sees(".workflows span", "wordword");
    const fits = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)";
    expect(await page.evaluate(`${fits}(document.querySelector(".workflows"))`)).toBe(true);
    await goTo(page, "/workflow/wordy");
    expect(await page.sees('[data-node="q"] .kind')).toBe("?");
    expect(await wrongIn(page)).toEqual([]);
  });

  test("shows a run without being moved sideways, and has room for its slider", async () => {
    const { run } = await scene.api.start("release", { inputs: { version: "3" } });
    const page = await pageAt(scene, `${scene.api.at}/#/run/${run}`, { width: 320, height: 700 });
    await page.sees(".ask", "May the agent use Edit");
    const fits = (selector: string): Promise<unknown> =>
      page.evaluate(
        `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector("${selector}"))`,
      );
    expect(Number(await page.evaluate('document.querySelector(".slider").clientWidth'))).toBeGreaterThan(200);
    await page.press("t");
    await page.sees('.pane-tabs [aria-selected="true"]', "Timeline");
    expect(await fits(".timeline-pane")).toBe(true);
    await page.press("s");
    await page.sees('.pane-tabs [aria-selected="true"]', "Step");
    await page.sees(".step-body .item");
    expect(await fits(".step-pane")).toBe(true);
    expect(await fits("html")).toBe(true);
    expect(await barriers(page)).toEqual([]);
    expect(await wrongIn(page)).toEqual([]);
    await scene.api.post(`/api/runs/${run}/cancel`);
  });
});
