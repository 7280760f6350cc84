/** The machines of a server as a person sees them in a real Chromium. Skipped by name where there is none. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import { barriers, goTo, NARROW, openScene, pageAt, pictured, type Scene, WIDE, wrongIn } from "./scene.ts";

const BROWSER = findChromium();

describe.skipIf(BROWSER === null)("machines at work in Chromium (skipped where there is none)", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string, ["--inspect"]);
  });
  afterAll(() => scene.leave());

  test("a live run: its machines, the chart of one with its state, who has sent what; by keys too", async () => {
    const page = await pageAt(scene, `${scene.api.at}/#/machines`);
    const requests = await page.requests();
    await page.sees(".hint", "No machine has been at work yet.");
    const { run } = await scene.api.start("release", { inputs: { version: "2.4.0" } });
    await page.sees(".actors a", "run release");
    await page.sees(".actors a", "permission");

    // The chart of a step that waits for an agent's work; where it is, is marked.
    await goTo(page, `/machines?key=${encodeURIComponent(`run/${run}`)}`);
    await page.sees(".chart h2", "run release");
    await page.sees('.chart .node.running[data-node="running"]');
    await page.sees('.chart .node.idle[data-node="ended"]');
    await page.sees(".sequence li.about", "born");
    await page.press("j");
    await page.finds(`document.querySelector(".chart h2")?.textContent !== "run release"`);
    await page.press("k");
    await page.sees(".chart h2", "run release");

    // By key: the run and what is below it, and nothing else.
    await page.press("/");
    await page.finds(`document.activeElement.id === "search"`);
    await page.evaluate(`document.execCommand("insertText", false, "run/${run}")`);
    await page.finds(
      `![...document.querySelectorAll(".actors a span")].some((one) => /^(session|turn)/.test(one.textContent))`,
    );
    await page.sees(".actors a", "step");
    await page.press("Escape");
    await pictured(page, "machines");

    // The run continues while it is looked at.
    await scene.api.post(`/api/runs/${run}/cancel`);
    await page.sees('.chart .node.running[data-node="ended"]');
    await page.sees(".sequence strong", "cancel.requested");
    // Of all of them only the session is left, and it does nothing.
    await goTo(page, "/machines");
    await page.sees(".actors a", "session");
    await page.finds(
      `document.querySelector(".actors .glyph.running") === null && document.querySelectorAll(".actors .glyph.idle").length === 1`,
    );
    expect(requests.filter((url) => !url.startsWith(scene.api.at))).toEqual([]);
    expect(await wrongIn(page)).toEqual([]);
  });

  test.each([
    ["light", WIDE],
    ["dark", { ...WIDE, dark: true }],
    ["360 px", NARROW],
  ])("axe finds nothing serious: %s", async (_, look) => {
    const page = await pageAt(scene, `${scene.api.at}/#/machines?q=run`, look);
    await page.sees(".chart h2");
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});
