/** Graph and timeline of a live run follow what runs now, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { barriers, goTo, openScene, pageAt, type Scene, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const GATES = [39, 79, 119, 159];
/** A long row of steps that stops at each gate until a person lets it on. */
const ROW = `name: row
states:
  initial: s0
${Array.from({ length: 160 }, (_, at) => `  s${at}: {type: step, command: "true", ${GATES.includes(at) ? `approval: {message: Gate ${at}}, ` : ""}on_success: ${at === 159 ? "done" : `s${at + 1}`}}`).join("\n")}
  done: {type: terminal}
`;
const PANES = [
  ["graph", ".canvas", '[data-node="STEP"]'],
  ["timeline", ".timeline-pane", '[data-address="STEP"]'],
] as const;
/** The panes in which a step is seen whole. */
const panesWith = (page: Page, step: string): Promise<unknown> =>
  page.evaluate(
    `${JSON.stringify(PANES)}.filter(([, pane, one]) => {
      const [it, around] = [one.replace("STEP", "${step}"), pane].map((at) => document.querySelector(at)?.getBoundingClientRect());
      return it !== undefined && it.top >= around.top - 1 && it.bottom <= around.bottom + 1;
    }).map(([name]) => name)`,
  );
const ways = (page: Page): Promise<string[]> => page.texts(".to-now:not([hidden]) button, .from-step");

describe.skipIf(BROWSER === null)("a live run is followed (skipped where there is no Chromium)", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
    writeFileSync(join(scene.house.cwd, ".troupe", "workflows", "row.yaml"), ROW);
  });
  afterAll(() => scene.leave());

  test("until it is scrolled away, or a step is chosen; then a button leads back", async () => {
    const { run } = await scene.api.start("row", { consent: "ask" });
    const page = await pageAt(scene, `${scene.api.at}/#/run/${run}`);
    const sees = (step: string, panes: readonly string[]): Promise<void> =>
      expect.poll(() => panesWith(page, step)).toEqual(panes);
    const goesOn = async (gate: string): Promise<void> => {
      await page.click(".ask .primary");
      await page.sees(".ask", gate);
    };
    await page.sees(".ask", "Gate 39");
    await sees("s39", ["graph", "timeline"]);
    await goesOn("Gate 79");
    await sees("s79", ["graph", "timeline"]);
    expect(await ways(page)).toEqual([]);

    await page.evaluate('document.querySelector(".canvas").scrollTop = 0');
    await expect.poll(() => ways(page)).toEqual(["To what runs now"]);
    await goesOn("Gate 119");
    await sees("s119", ["timeline"]);
    expect(await barriers(page)).toEqual([]);
    await page.click(".graph-pane .to-now button");
    await sees("s119", ["graph", "timeline"]);
    expect(await ways(page)).toEqual([]);
    expect(await page.evaluate('document.activeElement.matches(".canvas")')).toBe(true);

    await page.evaluate(`document.querySelector('[data-address="s3"] .step').click()`);
    await page.sees(".step-head h2", "s3");
    await goesOn("Gate 159");
    await page.sees(".step-head h2", "s3");
    expect((await ways(page)).length).toBe(3);
    await page.press("n");
    await page.sees(".step-head h2", "s159");
    await sees("s159", ["graph", "timeline"]);
    expect(await ways(page)).toEqual([]);

    // Gone back to a row, what was at work then is shown.
    const row = Number(await page.evaluate(`document.querySelector(".where").dataset.seq`));
    await goTo(page, `/run/${run}?seq=${Math.round(row / 2)}`);
    await page.sees(".past");
    const then = String(await page.finds(`document.querySelector(".lane.chosen")?.dataset.address`));
    await page.sees(".step-head h2", then);
    await sees(then, ["graph", "timeline"]);
    expect(await ways(page)).toEqual([]);
    expect(await wrongIn(page)).toEqual([]);
  });
});
