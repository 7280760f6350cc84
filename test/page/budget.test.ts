/** A run at a limit of its budget, asked and stopped, in a real Chromium. Skipped by name where there is none. */
import { expect, test } from "vitest";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import { Api } from "../support/api.ts";
import { openHouse } from "../support/house.ts";
import { NO_BROWSER } from "../support/page.ts";
import { startServer } from "../support/server.ts";
import { barriers, pageAt, wrongIn } from "./scene.ts";

const BROWSER = findChromium();

test.skipIf(BROWSER === null)(
  "a person is asked at a limit, and gives a higher one after the stop (skipped without Chromium)",
  async () => {
    const house = openHouse(["acceptance/thrift.yaml"]);
    const chromium = await Chromium.start(BROWSER as string);
    try {
      const api = new Api(await startServer(house, [], { TROUPE_TRUST: "1", ...NO_BROWSER }));
      const { run } = await api.start("thrift");
      const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`);
      await page.sees(".ask[data-permission] .message", "120 tokens of 100 tokens");
      expect(await page.texts(".ask button")).toEqual([
        expect.stringMatching(/^Go on, up to 220 tokens/),
        expect.stringMatching(/^Go on with understudy/),
        expect.stringMatching(/^Stop here; it can be resumed/),
      ]);
      await page.click('.ask [data-kind="reject_once"]');
      await page.sees('.ask[data-halt="tokens"] .message', "to go on, give a higher limit");
      expect(await page.evaluate(`document.querySelector('.ask input[name="tokens"]').value`)).toBe("220");
      expect((await page.texts(".acts button")).filter((text) => text.startsWith("Resume"))).toEqual([]);
      expect(await barriers(page)).toEqual([]);

      const give = async (value: string): Promise<void> => {
        await page.evaluate(`document.querySelector('.ask input[name="tokens"]').value = ${JSON.stringify(value)}`);
        await page.click(".ask .primary");
      };
      await give("soon");
      await page.sees('[role="alert"]', "tokens");
      await give("300");
      await page.sees(".run-head .chip.completed");
      expect(await page.evaluate(`document.querySelector(".ask") === null`)).toBe(true);
      expect(await wrongIn(page)).toEqual([]);
    } finally {
      await chromium.leave();
      await house.leave();
    }
  },
);
