/** What is written and asked line by line, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { goTo, openScene, pageAt, type Scene, WIDE, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const UNTIL = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;
const TAIL = `name: tail
states:
  initial: writes
  writes: {type: step, command: "seq 300; ${UNTIL("one")}; seq 301 600; ${UNTIL("two")}; seq 601 900; ${UNTIL("three")}", on_success: done}
  done: {type: terminal}
`;
const LINES = `name: lines
states:
  initial: ask
  ask:
    type: ask
    message: "First\\nSecond\\n"
    questions:
      - {name: who, prompt: "Who?\\nBy name.\\n", required: false}
    on_success: gate
  gate: {type: step, command: "true", approval: {message: "Third\\nFourth\\n"}, on_success: done}
  done: {type: terminal}
`;
/** How far each that is scrolled is from its end. */
const fromEnd = (page: Page): Promise<unknown> =>
  page.evaluate(`[".step-body", ".step-body .output"].map((at) => {
    const one = document.querySelector(at);
    return Math.round(one.scrollHeight - one.clientHeight - one.scrollTop);
  })`);
const seesLine = (page: Page, line: number): Promise<string> => page.sees(".output .words", String(line));

describe.skipIf(BROWSER === null)("the page in Chromium (skipped where there is none)", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
    const folder = join(scene.house.cwd, ".troupe", "workflows");
    writeFileSync(join(folder, "tail.yaml"), TAIL);
    writeFileSync(join(folder, "lines.yaml"), LINES);
  });
  afterAll(() => scene.leave());

  test("the end of what a step writes is in view, until it is scrolled up", async () => {
    const { run } = await scene.api.start("tail");
    const page = await pageAt(scene, `${scene.api.at}/#/run/${run}`);
    const atEnd = (): Promise<void> => expect.poll(() => fromEnd(page)).toEqual([0, 0]);
    const goesOn = (file: string): void => writeFileSync(join(scene.house.cwd, file), "");
    await seesLine(page, 300);
    await atEnd();
    goesOn("one");
    await seesLine(page, 600);
    await atEnd();
    await page.evaluate('document.querySelector(".output").scrollTop = 40');
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    goesOn("two");
    await seesLine(page, 900);
    expect(await page.evaluate('document.querySelector(".output").scrollTop')).toBe(40);
    await page.evaluate('document.querySelector(".output").scrollTop = 1e6');
    goesOn("three");
    await page.sees(".run-head .chip.completed");
    await atEnd();

    // An address that means a line shows it, and another tab begins at its top.
    const line = String(await page.evaluate('document.querySelectorAll(".line")[449].dataset.line'));
    await goTo(page, `/run/${run}?step=writes&line=${line}`);
    await page.sees(".line.meant", "450");
    await expect
      .poll(() =>
        page.evaluate(`(() => {
          const [line, room] = [".line.meant", ".output"].map((at) => document.querySelector(at).getBoundingClientRect());
          return line.top >= room.top && line.bottom <= room.bottom;
        })()`),
      )
      .toBe(true);
    await page.click('.tabs [role="tab"]:nth-child(2)');
    await page.sees(".step-body", "seq 300");
    expect(await page.evaluate('document.querySelector(".step-body").scrollTop')).toBe(0);
    expect(await wrongIn(page)).toEqual([]);
  });

  test("on paper all of it is read, in light colours, and nothing is there to be clicked", async () => {
    const { run } = await scene.api.start("hostile");
    await scene.api.whole(run);
    const page = await pageAt(scene, `${scene.api.at}/#/run/${run}?step=flood`, { ...WIDE, dark: true });
    await page.sees(".step-body", "characters before this are not shown");
    await page.sees(".lane .step");
    const cut = `[...document.querySelectorAll("#page *")].filter((one) => one.closest("svg, .hidden") === null &&
      getComputedStyle(one).overflow !== "visible" && one.clientHeight > 0 &&
      (one.scrollHeight > one.clientHeight + 3 || one.scrollWidth > one.clientWidth + 3)).map((one) => one.className)`;
    const controls = `[...document.querySelectorAll("button:not(.step, .number, .cell, .failed-round, .seq), .button, input, select, textarea, .back")]
      .filter((one) => one.getClientRects().length > 0).map((one) => one.className)`;
    expect(await page.evaluate(cut)).not.toEqual([]);
    await page.looks({ ...WIDE, width: 720, dark: true, paper: true });
    for (const none of [cut, controls]) expect(await page.evaluate(none)).toEqual([]);
    for (const pane of [".graph-pane", ".timeline-pane", ".step-pane"])
      expect(await page.evaluate(`document.querySelector("${pane}").clientHeight`), pane).toBeGreaterThan(20);
    expect(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe(
      "rgb(255, 255, 255)",
    );
    expect(await wrongIn(page)).toEqual([]);
  });

  test("what is asked stands on the lines that it has", async () => {
    const { run } = await scene.api.start("lines", { consent: "ask" });
    const page = await pageAt(scene, `${scene.api.at}/#/run/${run}`);
    const linesOf = (selector: string): Promise<unknown> =>
      page.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText.split("\\n").length`);
    await page.sees(".item", "Second");
    // What stands behind a text that ends in a new line is on its last one.
    for (const asked of [".ask .heading", ".ask .question > span"]) expect(await linesOf(asked), asked).toBe(2);
    expect(await linesOf(".item .asked")).toBe(6); // both, with a line between them, and what else may be said
    await page.type('.ask textarea[name="who"]', "Ann");
    await page.click(".ask .primary");
    await page.sees(".ask .message", "Fourth");
    expect(await linesOf(".ask .message")).toBe(2);
    expect(await wrongIn(page)).toEqual([]);
  });
});
