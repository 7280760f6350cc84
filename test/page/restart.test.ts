/** A server that begins anew before a page that stays, in a real Chromium. Skipped by name where there is none. */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import { Api } from "../support/api.ts";
import { openHouse } from "../support/house.ts";
import { NO_BROWSER } from "../support/page.ts";
import { startServer } from "../support/server.ts";
import { pageAt, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const ENV = { TROUPE_TRUST: "1", ...NO_BROWSER };
const EDITS = `name: edits
states:
  initial: edit
  edit:
    type: agent
    provider: understudy
    prompt: Edit it.
    options:
      script:
        - ask: {name: Edit, kind: edit, title: Edit a.md, input: {file_path: a.md, old_string: "a", new_string: "b"}}
    on_success: done
  done: {type: terminal}
`;

test.skipIf(BROWSER === null)(
  "what an agent of the server before has asked is not asked any more (skipped without Chromium)",
  async () => {
    const house = openHouse(["acceptance/asks.yaml"]);
    const chromium = await Chromium.start(BROWSER as string);
    try {
      writeFileSync(join(house.cwd, ".troupe", "workflows", "edits.yaml"), EDITS);
      const first = await startServer(house, [], ENV);
      const api = new Api(first);
      const { run } = await api.start("edits", { consent: "ask" });
      const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`);
      await page.sees(".ask", "May the agent use Edit");
      await page.sees(".run-head .chip.waiting");
      first.process.kill();
      await first.process.ended;
      await startServer(house, ["--listen", `127.0.0.1:${first.port}`], ENV);
      await page.sees(".acts button", "Resume");
      await page.sees(".run-head .chip.interrupted");
      await page.sees(".step-pane .chip.interrupted");
      expect(await page.texts(".ask")).toEqual([]);
      expect(await wrongIn(page)).toEqual([]);
    } finally {
      await chromium.leave();
      await house.leave();
    }
  },
);

test.skipIf(BROWSER === null)(
  "a run whose log came back shorter is read anew, and one that is gone is said (skipped without Chromium)",
  async () => {
    const house = openHouse(["acceptance/talk.yaml"]);
    const chromium = await Chromium.start(BROWSER as string);
    try {
      const folder = dirname(house.store);
      const first = await startServer(house, [], ENV);
      const api = new Api(first);
      const { run } = await api.start("talk");
      await (await api.events(run)).hears("input.required");
      first.process.child.kill("SIGTERM");
      await first.process.ended;
      cpSync(folder, `${folder}.kept`, { recursive: true });

      const at = ["--listen", `127.0.0.1:${first.port}`];
      const second = await startServer(house, at, ENV);
      const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`);
      await page.sees(".ask[data-input]");
      await api.post(`/api/runs/${run}/answer`, { text: "the second words" });
      await page.sees(".step-body", "the second words");
      await page.sees(".ask[data-input]");
      second.process.child.kill("SIGTERM");
      await second.process.ended;
      rmSync(folder, { recursive: true });
      cpSync(`${folder}.kept`, folder, { recursive: true });

      const third = await startServer(house, at, ENV);
      await page.finds(`document.querySelector(".step-body")?.textContent.includes("the second words") === false`);
      await page.sees(".ask[data-input]");
      third.process.child.kill("SIGTERM");
      await third.process.ended;
      rmSync(folder, { recursive: true });

      await startServer(house, at, ENV);
      await page.sees('.note[role="alert"]', `there is no run "${run}"`);
      await page.sees("main.wait", "This cannot be shown.");
      expect(await wrongIn(page)).toEqual([]);
    } finally {
      await chromium.leave();
      await house.leave();
    }
  },
);
