/** Words of a step are found, and when they came is shown, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { barriers, goTo, openScene, pageAt, type Scene, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const UNTIL = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;
/** Three in 400 lines, one of them in two colours; one in a folded tool; lines that come one after the other. */
const WORDS = `name: words
states:
  initial: prints
  prints: {type: step, command: "seq 200; printf 'an Er\\\\033[31mror: one\\\\033[0m\\\\n'; seq 200; echo ERROR two, error three; echo nothing wrong >&2", on_success: speaks}
  speaks:
    type: agent
    provider: understudy
    prompt: go
    options: {script: [{say: "No **err**or here"}, {tool: {title: Look, kind: read, output: "the error lies deep"}}]}
    on_success: waits
  waits: {type: step, command: "echo first; ${UNTIL("go")}; echo second; echo third", on_success: long}
  long: {type: step, command: "echo error at first; printf '%070000d\\n' 0; echo error at last", on_success: done}
  done: {type: terminal}
`;
const count = (page: Page): Promise<unknown> => page.evaluate('document.querySelector(".found-count").textContent');
const seesCount = (page: Page, words: string): Promise<string> => page.sees(".found-count", words);
/** How many places are marked, and what stands where one is. */
const marked = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const [all, here] = ["found", "found-here"].map((name) => [...(CSS.highlights.get(name) ?? [])]);
    const text = here.map(({ startContainer, startOffset, endContainer, endOffset }) => {
      const range = document.createRange();
      range.setStart(startContainer, startOffset);
      range.setEnd(endContainer, endOffset);
      const [at, room] = [range.getBoundingClientRect(), document.querySelector(".step-body").getBoundingClientRect()];
      return [range.toString(), at.height > 0 && at.top >= room.top && at.bottom <= room.bottom ? "seen" : "hidden"];
    });
    return [all.length, ...text.flat()];
  })()`);

describe.skipIf(BROWSER === null)("the words of a step (skipped where there is no Chromium)", () => {
  let scene: Scene;
  let page: Page;
  let run: string;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
    writeFileSync(join(scene.house.cwd, ".troupe", "workflows", "words.yaml"), WORDS);
    run = (await scene.api.start("words")).run;
    page = await pageAt(scene, `${scene.api.at}/#/run/${run}?step=prints`);
    await page.sees(".output .words", "three");
  });
  afterAll(async () => {
    expect(await wrongIn(page)).toEqual([]);
    await scene.leave();
  });

  test("are found by keyboard, one after the other, and marked where they stand", async () => {
    await page.press("f");
    await page.finds('document.activeElement.id === "find"');
    await page.evaluate('document.execCommand("insertText", false, "error")');
    await seesCount(page, "1 of 3");
    expect(await marked(page)).toEqual([3, "Error", "seen"]);
    for (const [words, here] of [
      ["2 of 3", "ERROR"],
      ["3 of 3", "error"],
      ["1 of 3", "Error"],
    ] as const) {
      await page.press("Enter");
      await seesCount(page, words);
      expect(await marked(page)).toEqual([3, here, "seen"]);
    }
    await page.click('.find [aria-label="The one before"]');
    await seesCount(page, "3 of 3");
    expect(await barriers(page)).toEqual([]);
  });

  test("of another step are counted anew, and what is folded opens", async () => {
    await goTo(page, `/run/${run}?step=speaks`);
    await page.sees(".step-head h2", "speaks");
    await seesCount(page, "1 of 2");
    expect(await marked(page)).toEqual([2, "error", "seen"]);
    expect(await page.evaluate('document.querySelector(".tool").open')).toBe(false);
    await page.click('.find [aria-label="The next one"]');
    await seesCount(page, "2 of 2");
    expect(await marked(page)).toEqual([2, "error", "seen"]);
    expect(await page.evaluate('document.querySelector(".tool").open')).toBe(true);
    await page.evaluate('document.querySelector("#find").select()');
    await page.click("#find");
    await page.evaluate('document.execCommand("insertText", false, " nowhere")');
    await seesCount(page, "none");
    await page.evaluate('document.querySelector("#find").select(); document.execCommand("delete")');
    await page.finds('document.querySelector(".found-count").textContent === ""');
    expect([await count(page), await marked(page)]).toEqual(["", [0]]);
  });

  test("have the times at which they came, where those are asked for", async () => {
    await goTo(page, `/run/${run}?step=waits`);
    await page.sees(".output .words", "first");
    expect(await page.evaluate('document.querySelector(".step-body time")')).toBe(null);
    await page.click(".find .times");
    await page.sees('.find .times[aria-pressed="true"]');
    writeFileSync(join(scene.house.cwd, "go"), "");
    await page.sees(".run-head .chip.completed");
    const { body } = await scene.api.get(`/api/runs/${run}/rows?step=waits&of=${run}`);
    const came = (body as { rows: { at: number; payload: { text?: string } }[] }).rows.flatMap(({ at, payload }) =>
      (payload.text ?? "").split("\n").flatMap((line) => (line === "" ? [] : [[line, new Date(at).toISOString()]])),
    );
    expect(came.map(([line]) => line)).toEqual(["first", "second", "third"]);
    expect(came[0]?.[1]).not.toBe(came[1]?.[1]);
    const shown = `[...document.querySelectorAll(".output .line")].map((line) => [line.querySelector(".words").textContent, line.querySelector("time").dateTime])`;
    expect(await page.evaluate(shown)).toEqual(came);
    await goTo(page, `/run/${run}?step=speaks`);
    await page.sees(".tool .output time");
    expect(Number(await page.evaluate('document.querySelectorAll(".item > time").length'))).toBe(2);
    expect(await barriers(page)).toEqual([]);
  });

  test("are those that are shown, where the step has more (I3)", async () => {
    await goTo(page, `/run/${run}?step=long`);
    await page.sees(".step-body .cut", "characters before this are not shown");
    const find = async (text: string): Promise<unknown> => {
      await page.evaluate('document.querySelector("#find").select()');
      await page.click("#find");
      return page.evaluate(`document.execCommand("insertText", false, "${text}")`);
    };
    await find("error");
    await seesCount(page, "1 of 1 shown");
    await find("at first");
    await seesCount(page, "none shown");
    const tab = '[...document.querySelectorAll(".step-tools [role=tab]")].find((one) => one.textContent === "Rows")';
    await page.evaluate(`${tab}.click()`);
    await page.sees(".rows .cut", "characters after these are not shown");
  });
});
