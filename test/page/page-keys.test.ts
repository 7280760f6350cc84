/** The page by its keys alone, in a real Chromium. Skipped by name where there is none. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import { openScene, pageAt, type Scene, WIDE, wrongIn } from "./scene.ts";

const BROWSER = findChromium();

describe.skipIf(BROWSER === null)("the page in Chromium (skipped where there is none)", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
  });
  afterAll(() => scene.leave());

  test("keys do all of it", async () => {
    await scene.api.whole((await scene.api.start("hello")).run);
    const page = await pageAt(scene, `${scene.api.at}/`);
    await page.sees(".runs strong", "hello");
    await page.press("/");
    await page.finds(`document.activeElement.id === "search"`);
    await page.evaluate(`document.execCommand("insertText", false, "hello")`);
    await page.finds(`[...document.querySelectorAll(".runs strong")].every((one) => one.textContent === "hello")`);
    await page.press("Escape");
    await page.press("Enter");
    await page.sees(".run-head h1", "hello");
    await page.press("ArrowLeft");
    await page.sees(".past");
    const past = await page.texts(".past");
    const focusIsIn = (where: string) =>
      expect.poll(() => page.evaluate(`document.activeElement.closest("${where}") !== null`)).toBe(true);
    await page.press("t");
    await focusIsIn(".timeline-pane");
    await page.press("?");
    await focusIsIn("dialog[open]");
    await page.press("ArrowLeft"); // goes no row back meanwhile
    await page.press("Escape");
    await page.finds(`document.querySelector("dialog[open]") === null`);
    expect(await page.texts(".past")).toEqual(past);
    await focusIsIn(".timeline-pane");
    await page.press("Escape");
    await page.sees("h1", "Runs");
    expect(await wrongIn(page)).toEqual([]);
  });

  test("what the keys choose stays chosen when a run begins above it, and stays in view", async () => {
    const ids: string[] = [];
    const start = async (): Promise<void> => {
      const { run } = await scene.api.start("hello");
      await scene.api.whole(run);
      ids.push(run);
    };
    for (let many = 0; many < 8; many++) await start();
    const page = await pageAt(scene, `${scene.api.at}/`, { ...WIDE, height: 300 });
    await page.finds(`document.querySelector('.runs a[href="#/run/${ids[0]}"]')`);
    for (let at = 0; at < 6; at++) await page.press("j");
    await page.finds(
      `[...document.querySelectorAll(".runs a[href^='#/run/']")].findIndex((one) => one.closest(".chosen") !== null) === 6`,
    );
    const chosen = String(await page.finds(`document.querySelector(".runs .chosen a")?.getAttribute("href")`));
    const isSeen = (selector: string, within: string): Promise<unknown> =>
      page.finds(`(() => {
        const [one, room] = [${JSON.stringify(selector)}, ${JSON.stringify(within)}].map((found) =>
          document.querySelector(found)?.getBoundingClientRect());
        return one !== undefined && room !== undefined && one.top >= Math.max(0, room.top) && one.bottom <= Math.min(innerHeight, room.bottom) + 1;
      })()`);
    await isSeen(".runs .chosen", "main");
    await start();
    await page.finds(`document.querySelector('.runs a[href="#/run/${ids.at(-1)}"]')`);
    expect(await page.evaluate(`document.querySelector(".runs .chosen a").getAttribute("href")`)).toBe(chosen);
    await page.press("Enter");
    await page.finds(`location.hash.startsWith(${JSON.stringify(chosen)})`);
    expect(await wrongIn(page)).toEqual([]);
  });
});
