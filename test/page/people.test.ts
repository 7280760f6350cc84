/** Several people before one run, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { Api } from "../support/api.ts";
import { type House, openHouse } from "../support/house.ts";
import { NO_BROWSER } from "../support/page.ts";
import { startServer } from "../support/server.ts";
import { CUT } from "./cut.ts";
import { NARROW, pageAt, WIDE, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const [OWN, ANN] = ["o".repeat(32), "a".repeat(32)];
const ENV = { TROUPE_TRUST: "1", ...NO_BROWSER };
/** No note lies over what makes the graph larger. */
const UNCOVERED = `(() => {
  const buttons = [...document.querySelectorAll(".zoom button")];
  const isFree = (button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return (document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".note") ?? null) === null;
  };
  return buttons.length === 2 && buttons.every(isFree);
})()`;

describe.skipIf(BROWSER === null)("people on the page in Chromium (skipped where there is none)", () => {
  let house: House;
  let chromium: Chromium;
  beforeEach(async () => {
    house = openHouse(["acceptance/talk.yaml"]);
    writeFileSync(join(house.cwd, ".troupe", "workflows", "cut.yaml"), CUT);
    chromium = await Chromium.start(BROWSER as string);
  });
  afterEach(async () => {
    await chromium.leave();
    await house.leave();
  });

  const reply = '.ask[data-input] textarea[name="text"]';
  const types = async (page: Page, text: string): Promise<void> => {
    await page.click(reply);
    await page.evaluate(`document.execCommand("insertText", false, ${JSON.stringify(text)})`);
  };
  const sends = (page: Page): Promise<void> => page.click(".ask[data-input] .primary");
  const say = async (page: Page, text: string): Promise<void> => {
    await types(page, text);
    await sends(page);
  };

  test("two see one run: the first answer counts, both see it and who gave it", async () => {
    const file = join(house.root, "tokens");
    writeFileSync(file, `${OWN}\nann ${ANN}\n`, { mode: 0o600 });
    const server = await startServer(house, ["--token-file", file], ENV);
    const api = new Api(server, ANN);
    const { run } = await api.start("talk");
    const enter = async (token: string): Promise<Page> => {
      const page = await pageAt({ chromium }, `${api.at}/#/run/${run}?step=chat`);
      await page.type('input[name="token"]', token);
      await page.sees(".run-head h1", "talk");
      await page.sees(".ask[data-input]");
      return page;
    };
    const [ann, again, own] = [await enter(ANN), await enter(ANN), await enter(OWN)];
    const all = [ann, again, own];
    for (const page of all) await page.sees(".run-head .facts", "by ann");

    await say(ann, "Ann");
    for (const page of all) {
      await page.finds(`document.querySelectorAll(".i-input").length === 2`);
      expect(await page.texts(".i-input .answer")).toEqual([
        expect.stringMatching(/^Ann by ann after /),
        "not answered yet",
      ]);
      await page.sees(".ask blockquote", "Ann");
    }

    // Two people answer the same question at once: one answer counts, and the other person is told so.
    await Promise.all([say(ann, "first"), say(again, "second")]);
    const seen: string[][] = [];
    for (const page of all) {
      await page.finds(`document.querySelectorAll(".i-input").length === 3`);
      seen.push((await page.texts(".i-input .answer")).slice(1));
    }
    expect(seen).toEqual(all.map(() => [expect.stringMatching(/^(first|second) by ann after /), "not answered yet"]));
    const [won = ann, late = again] = seen[0]?.[0]?.startsWith("first") ? [ann, again] : [again, ann];
    await late.sees('[role="alert"]', "answered");

    // Drafts I2: what was typed for a question that somebody else has answered is no answer to the next one by mistake.
    await sends(late);
    for (const page of all) await page.finds(`document.querySelectorAll(".i-input").length === 4`);
    await types(late, "typed before");
    await say(won, "quick");
    await late.finds(`document.querySelectorAll(".i-input").length === 5`);
    await sends(late);
    await late.sees('[role="alert"]', "answered");
    expect((await late.texts(".i-input .answer")).at(-1)).toBe("not answered yet");
    await sends(late);
    for (const page of all) await page.finds(`document.querySelectorAll(".i-input").length === 6`);
    expect((await late.texts(".i-input .answer")).at(-2)).toMatch(/^typed before by ann after /);

    // The user of the server sees what a subject runs; only the subject acts on it.
    await say(own, "mine");
    await own.sees('[role="alert"]');
    await say(won, "");
    for (const page of all) {
      await page.sees(".run-head .chip.completed");
      expect(await wrongIn(page)).toEqual([]);
    }
  });

  test("who comes in by a token goes where the links lead, and is back there after the server began anew", async () => {
    const file = join(house.root, "tokens");
    writeFileSync(file, `${OWN}\n`, { mode: 0o600 });
    const tokens = ["--token-file", file];
    const first = await startServer(house, tokens, ENV);
    const api = new Api(first, OWN);
    const page = await pageAt({ chromium }, `${api.at}/`);
    await page.type('input[name="token"]', OWN);
    await page.sees(".list-head h1", "Runs");
    const { run } = await api.start("talk");
    await page.sees(".runs a", "talk");
    await page.click(".runs a");
    await page.sees(".ask[data-input]");
    await page.click(reply);
    await page.evaluate(`document.execCommand("insertText", false, "half a thought")`);

    first.process.kill();
    await first.process.ended;
    await startServer(house, ["--listen", `127.0.0.1:${first.port}`, ...tokens], ENV);
    await page.sees(".door");
    await page.type('input[name="token"]', OWN);
    await page.sees(".ask[data-input]");
    expect(await page.evaluate("location.hash")).toContain(run);
    expect(await page.evaluate(`document.querySelector(${JSON.stringify(reply)}).value`)).toBe("half a thought");
    await page.click(".ask[data-input] .primary");
    await page.finds(`document.querySelectorAll(".i-input").length === 2`);
    expect(await wrongIn(page)).toEqual([]);
  });

  test("a server that is away is said to be, and what was asked for meanwhile comes when it is back", async () => {
    const first = await startServer(house, [], ENV);
    const api = new Api(first);
    const { run } = await api.start("talk");
    const page = await pageAt({ chromium }, `${api.at}/`);
    await page.sees(".runs a", "talk");
    first.process.kill();
    await first.process.ended;
    await page.sees('.note[role="alert"]', "does not answer");
    await page.click(".runs a");
    await page.sees(".wait");

    const again = ["--listen", `127.0.0.1:${first.port}`];
    const second = await startServer(house, again, ENV);
    await page.sees(".ask[data-input]");
    expect(await page.evaluate("location.hash")).toContain(run);
    expect(await page.evaluate('document.querySelector(".note")')).toBeNull();

    // As if another page were served from now on.
    await page.evaluate('document.querySelector("script[integrity]").setAttribute("integrity", "sha384-old")');
    second.process.kill();
    await second.process.ended;
    await page.sees('.note[role="alert"]');
    const third = await startServer(house, again, ENV);
    await page.sees('.note[role="status"]', "newer page");
    for (const look of [WIDE, NARROW]) {
      await page.looks(look);
      await page.finds(UNCOVERED);
    }
    await page.looks(WIDE);
    await page.click('.note [aria-label="Close"]');
    await page.finds('document.querySelector(".note") === null');
    third.process.kill();
    await third.process.ended;
    await page.sees('.note[role="alert"]');
    await startServer(house, again, ENV);
    await page.sees('.note[role="status"]', "newer page");
    expect(await wrongIn(page)).toEqual([]);
    await page.click(".note button");
    await page.finds('document.querySelector("script[integrity]")?.integrity !== "sha384-old"');
    await page.sees(".ask[data-input]");
  });

  test("of eight tabs the one that is looked at hears its run, and a hidden one catches up when it is looked at", async () => {
    const api = new Api(await startServer(house, [], ENV));
    const { run } = await api.start("talk");
    const at = `${api.at}/#/run/${run}?step=chat`;
    const first = await pageAt({ chromium }, at);
    await first.sees(".ask[data-input]");
    let tab = first;
    for (let many = 1; many < 8; many++) {
      tab = await first.tab(at);
      await tab.sees(".ask[data-input]");
    }
    await say(tab, "Ann");
    await tab.finds(`document.querySelectorAll(".i-input").length === 2`);
    await first.front();
    await first.finds(`document.querySelectorAll(".i-input").length === 2`);
  });

  test("the title of a hidden tab says what has become of its run (tab.ts, I1)", async () => {
    const api = new Api(await startServer(house, [], ENV));
    const { run } = await api.start("talk");
    const first = await pageAt({ chromium }, `${api.at}/#/run/${run}?step=chat`);
    const list = await first.tab(`${api.at}/#/`);
    await list.finds('document.title === "(1) Troupe"');
    const other = await first.tab(`${api.at}/#/workflows`);
    await other.finds('document.title === "Workflows · Troupe"');
    expect(await first.evaluate("document.visibilityState")).toBe("hidden");
    await first.finds('document.title === "? talk · Troupe"');
    await api.post(`/api/runs/${run}/cancel`, {});
    await first.finds('document.title === "– talk · Troupe"');
    await list.finds('document.title === "Troupe"');
    expect(await wrongIn(first)).toEqual([]);
  });

  test("who cancels a run is told so until it is, and the run has come to no end of its document", async () => {
    const api = new Api(await startServer(house, [], ENV));
    const { run } = await api.start("cut");
    const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`);
    await page.sees(".run-head .chip.running");
    await page.evaluate(`{
      globalThis.notes = [];
      new MutationObserver(() => notes.push(document.querySelector(".note")?.textContent ?? "")).observe(document.querySelector("#page"), { subtree: true, childList: true });
    }`);
    await page.click(".acts button");
    await page.sees(".run-head .chip.cancelled");
    await page.finds('document.querySelector(".note") === null');
    expect(await page.evaluate(`notes.some((text) => text.startsWith("It is being cancelled."))`)).toBe(true);
    expect(await page.texts(".fault")).toEqual([]);
    expect(await page.texts(".ending")).toEqual(["the run was cancelled"]);
    expect(await wrongIn(page)).toEqual([]);
  });
});
