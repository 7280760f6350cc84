/** Runs that have not ended, as one file, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { durationText } from "../../projections/page/spoken.ts";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import { Api } from "../support/api.ts";
import { openHouse } from "../support/house.ts";
import { NO_BROWSER } from "../support/page.ts";
import { startServer } from "../support/server.ts";
import { ASKS } from "./cut.ts";
import { pageAt, wrongIn } from "./scene.ts";

const BROWSER = findChromium();

test.skipIf(BROWSER === null)(
  "a run that waits is shown so in its file, as of when that was written (skipped without Chromium)",
  async () => {
    const house = openHouse([]);
    writeFileSync(join(house.cwd, ".troupe", "workflows", "asks.yaml"), ASKS);
    const chromium = await Chromium.start(BROWSER as string);
    try {
      const api = new Api(await startServer(house, [], { TROUPE_TRUST: "1", ...NO_BROWSER }));
      const { run } = await api.start("asks");
      const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`);
      await page.sees(".ask");
      const saved = await page.saves(house.root, () =>
        page.evaluate(
          `[...document.querySelectorAll(".acts button")].find((one) => one.textContent === "Export").click()`,
        ),
      );
      const written = join(house.root, "asks.html");
      expect((await house.troupe(["export", run, "-o", written]).ended).code).toBe(0);
      const { body } = await api.get(`/api/runs/${run}/rows`);
      const times = (body as { rows: { at: number }[] }).rows.map(({ at }) => at);
      for (const file of [saved, written]) {
        const offline = await pageAt({ chromium }, pathToFileURL(file).href);
        await offline.sees(".run-head .chip.waiting");
        await offline.sees(".i-permission .answer", "not answered yet");
        const [lasted] = await offline.texts(".run-head .facts > span:nth-child(2)");
        expect(lasted).toBe(durationText(Math.max(...times) - Math.min(...times)));
        expect(await wrongIn(offline)).toEqual([]);
      }
    } finally {
      await chromium.leave();
      await house.leave();
    }
  },
);

test.skipIf(BROWSER === null)(
  "a file that ends before its run does is not told to be all that became of it (skipped without Chromium)",
  async () => {
    const house = openHouse(["acceptance/hello.yaml"]);
    const chromium = await Chromium.start(BROWSER as string);
    const says = async (name: string, lines: readonly string[]): Promise<string[]> => {
      writeFileSync(join(house.root, `${name}.jsonl`), lines.join("\n"));
      const viewed = await house.troupe(["view", join(house.root, `${name}.jsonl`), "-o", join(house.root, name)])
        .ended;
      expect(viewed.code).toBe(0);
      const page = await pageAt({ chromium }, pathToFileURL(join(house.root, name)).href);
      await page.sees(".run-head .chip");
      return page.texts(".run > .ending");
    };
    try {
      expect((await house.troupe(["run", "hello"], { TROUPE_TRUST: "1" }).ended).code).toBe(0);
      const logs = house.troupe(["logs", "@last", "--format", "json"]);
      await logs.ended;
      const { lines } = logs;
      const open = await says("open.html", lines.slice(0, -2));
      expect(open).toEqual([expect.stringContaining("This file ends before the run does")]);
      expect((await says("whole.html", lines)).join()).not.toContain("This file");
    } finally {
      await chromium.leave();
      await house.leave();
    }
  },
);
