/** Words of several lines stand on the page in their lines, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import { Api } from "../support/api.ts";
import { openHouse } from "../support/house.ts";
import { NO_BROWSER } from "../support/page.ts";
import { startServer } from "../support/server.ts";
import { pageAt, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const LINES = `name: lines
states:
  initial: work
  work:
    type: agent
    provider: understudy
    prompt: Do it
    options: {script: [{fail: {class: crashed, message: "No room.\\nMake some."}}]}
    retry: {max_attempts: 2, initial_delay: 1ms}
    on_success: done
    on_failure: lost
  done: {type: terminal}
  lost: {type: terminal, status: failure, message: "It was lost.\\n- all of it"}
`;

test.skipIf(BROWSER === null)(
  "why a step was tried again, and how its run ended (skipped without Chromium)",
  async () => {
    const house = openHouse([]);
    writeFileSync(join(house.cwd, ".troupe", "workflows", "lines.yaml"), LINES);
    const chromium = await Chromium.start(BROWSER as string);
    try {
      const api = new Api(await startServer(house, [], { TROUPE_TRUST: "1", ...NO_BROWSER }));
      const { run } = await api.start("lines");
      const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`);
      await page.sees(".i-retry");
      await page.sees(".run > .fault");
      const shown = (selector: string) =>
        page.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`);
      expect(await shown(".run > .fault")).toBe('It was lost.\n- all of it\nthe workflow ended in "lost"');
      expect(await shown(".i-retry p")).toMatch(/^Attempt 1 failed: .*No room\.\nMake some\.\. Tried again after/);
      expect(await wrongIn(page)).toEqual([]);
    } finally {
      await chromium.leave();
      await house.leave();
    }
  },
);
