/** A run that a crash cut off, on the page, in a real Chromium. Skipped by name where there is none. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import { Api } from "../support/api.ts";
import { type House, openHouse } from "../support/house.ts";
import { NO_BROWSER } from "../support/page.ts";
import { startServer } from "../support/server.ts";
import { ASKS, CUT } from "./cut.ts";
import { pageAt, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const ENV = { TROUPE_TRUST: "1", ...NO_BROWSER };

describe.skipIf(BROWSER === null)("people on the page in Chromium (skipped where there is none)", () => {
  let house: House;
  let chromium: Chromium;
  beforeEach(async () => {
    house = openHouse(["acceptance/talk.yaml"]);
    writeFileSync(join(house.cwd, ".troupe", "workflows", "cut.yaml"), CUT);
    writeFileSync(join(house.cwd, ".troupe", "workflows", "asks.yaml"), ASKS);
    chromium = await Chromium.start(BROWSER as string);
  });
  afterEach(async () => {
    await chromium.leave();
    await house.leave();
  });

  test.each([
    ["Resume, run the step again", "completed"],
    ["Resume, count it as failed", "failed"],
  ])("a run that a crash cut off: %s", async (name, status) => {
    const first = await startServer(house, [], ENV);
    const { run } = await new Api(first).start("cut");
    await expect.poll(() => existsSync(join(house.cwd, "began")), { interval: 20, timeout: 20_000 }).toBe(true);
    first.process.kill();
    await first.process.ended;
    writeFileSync(join(house.cwd, "free"), "");

    const { at } = new Api(await startServer(house, [], ENV));
    const page = await pageAt({ chromium }, `${at}/`);
    await page.sees(".group h2", "Cut off");
    expect(await page.texts(".runs .took")).toEqual([""]);
    await page.click(".runs a");
    await page.sees(".run-head .chip.interrupted");
    expect(await page.evaluate("location.hash")).toBe(`#/run/${run}`);
    await page.sees(".acts button", name);
    await page.evaluate(
      `[...document.querySelectorAll(".acts button")].find((one) => one.textContent === ${JSON.stringify(name)}).click()`,
    );
    await page.sees(`.run-head .chip.${status}`);
    expect(await wrongIn(page)).toEqual([]);
  });

  test("what it had asked is not waited for until it is resumed, and stands there once", async () => {
    const first = await startServer(house, [], ENV);
    const { run } = await new Api(first).start("asks");
    const watching = await pageAt({ chromium }, `${new Api(first).at}/#/run/${run}?step=gate`);
    await watching.sees(".i-permission .answer", "not answered yet");
    first.process.kill();
    await first.process.ended;

    const { at } = new Api(await startServer(house, [], ENV));
    const page = await pageAt({ chromium }, `${at}/#/run/${run}?step=gate`);
    await page.sees(".i-permission .answer", "not answered: the run was cut off");
    await page.click(".acts .primary");
    await page.sees(".i-permission .answer", "not answered yet");
    await page.click('.ask button[data-kind="allow_once"]');
    await page.sees(".run-head .chip.completed");
    expect(await page.texts(".i-permission .answer")).toEqual([expect.stringMatching(/^Run it after /)]);
    expect(await wrongIn(page)).toEqual([]);
  });
});
