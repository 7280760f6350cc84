/** The questions of an `ask` step as one form, in a real Chromium. Skipped by name where there is none. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import { Api } from "../support/api.ts";
import { openHouse, storedRows } from "../support/house.ts";
import { NO_BROWSER } from "../support/page.ts";
import { startServer } from "../support/server.ts";
import { pageAt, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const TOKEN = "a".repeat(32);
const ENV = { TROUPE_TRUST: "1", ...NO_BROWSER };

test.skipIf(BROWSER === null)("a form of all questions answers them at once (skipped without Chromium)", async () => {
  const house = openHouse(["acceptance/asks.yaml"]);
  const chromium = await Chromium.start(BROWSER as string);
  try {
    const file = join(house.root, "tokens");
    writeFileSync(file, `ann ${TOKEN}\n`, { mode: 0o600 });
    const api = new Api(await startServer(house, ["--token-file", file], ENV), TOKEN);
    const { run, session } = await api.start("asks");
    const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`);
    await page.type('input[name="token"]', TOKEN);
    await page.sees('.ask select[name="bump"]');
    expect(await page.evaluate('document.querySelector(".ask select").value')).toBe("patch");
    await page.evaluate('document.querySelector(".ask select").value = "minor"');
    await page.click('.ask textarea[name="who"]');
    await page.evaluate('document.execCommand("insertText", false, "Ann")');
    await page.click(".ask .primary");
    await page.sees(".run-head", "completed");
    expect(await wrongIn(page)).toEqual([]);
    const answers = storedRows(house.store, session).filter(({ type }) => type === "input.answered");
    expect(answers).toMatchObject([{ payload: { text: '{"bump":"minor","who":"Ann"}', who: "ann" } }]);
  } finally {
    await chromium.leave();
    await house.leave();
  }
});
