/** The questions of an `ask` step as one form, in a real Chromium. Skipped by name where there is none. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Chromium, findChromium } from "../real/browser/chromium.ts";
import { Api } from "../support/api.ts";
import { openHouse, storedRows } from "../support/house.ts";
import { NO_BROWSER } from "../support/page.ts";
import { startServer } from "../support/server.ts";
import { barriers, NARROW, pageAt, WIDE, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const TOKEN = "a".repeat(32);
const GATES = `name: gates
states:
  initial: one
  one: {type: step, command: "true", approval: {message: First}, on_success: two}
  two: {type: step, command: "true", approval: {message: Second, on_deny: abort}, on_success: done}
  done: {type: terminal}
`;
const LONG = `name: long
states:
  initial: one
  one:
    type: agent
    provider: understudy
    prompt: Write it
    options:
      script:
        - ask:
            name: Edit
            kind: edit
            title: Edit guide.md
            input: {file_path: guide.md, old_string: "", new_string: ${JSON.stringify("A line of the guide.\n".repeat(80))}}
        - say: It is written.
    on_success: done
  done: {type: terminal}
`;
const MANY = `name: many
states:
  initial: ask
  ask:
    type: ask
    questions:
${Array.from({ length: 12 }, (_, at) => `      - {name: q${at}, prompt: Question ${at}?}`).join("\n")}
    on_success: done
  done: {type: terminal}
`;
const FEW = `name: few
states:
  initial: ask
  ask:
    type: ask
    questions:
      - {name: who, prompt: Who?}
      - {name: copies, prompt: How many?, type: integer, validation: {min: 1, max: 9}}
    on_success: done
  done: {type: terminal}
`;
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

test.skipIf(BROWSER === null)("what is no answer is said at its field (skipped without Chromium)", async () => {
  const house = openHouse([]);
  const chromium = await Chromium.start(BROWSER as string);
  try {
    writeFileSync(join(house.cwd, ".troupe", "workflows", "few.yaml"), FEW);
    const api = new Api(await startServer(house, [], ENV));
    const { run } = await api.start("few");
    const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`);
    const fill = async (field: string, text: string): Promise<void> => {
      await page.sees(field);
      await page.evaluate(`document.querySelector('${field}').select()`);
      await page.evaluate(`document.execCommand("insertText", false, "${text}")`);
    };
    await fill(".ask textarea", "Ann");
    await fill(".ask input", "12");
    await page.click(".ask .primary");
    expect(await page.sees(".ask .question:nth-child(2) .wrong")).toContain("at most 9");
    expect(await page.evaluate("document.querySelector('.ask textarea').value")).toBe("Ann");
    await fill(".ask input", "3");
    await expect.poll(() => page.texts(".ask .wrong")).toEqual([]);
    await page.click(".ask .primary");
    await page.sees(".run-head", "completed");
    expect(await wrongIn(page)).toEqual([]);
  } finally {
    await chromium.leave();
    await house.leave();
  }
});

test.skipIf(BROWSER === null)("a double click answers one question (skipped without Chromium)", async () => {
  const house = openHouse(["acceptance/asks.yaml"]);
  const chromium = await Chromium.start(BROWSER as string);
  try {
    writeFileSync(join(house.cwd, ".troupe", "workflows", "gates.yaml"), GATES);
    const api = new Api(await startServer(house, [], ENV));
    const { run } = await api.start("gates", { consent: "ask" });
    const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`);
    await page.sees(".ask", "First");
    await page.click(".ask .primary");
    await page.sees(".ask", "Second");
    await page.click(".ask .primary", { count: 2 });
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    expect(await page.evaluate(`document.querySelector(".ask .primary")?.disabled`)).toBe(false);
    await page.click(".ask [data-kind=reject_once]");
    await page.finds(`document.querySelector(".ask") === null`);
    expect(await api.run(run)).not.toMatchObject({ status: "completed" });
    expect(await wrongIn(page)).toEqual([]);
  } finally {
    await chromium.leave();
    await house.leave();
  }
});

test.skipIf(BROWSER === null)("the answers stay in sight below a long edit (skipped without Chromium)", async () => {
  const house = openHouse(["acceptance/hello.yaml"]);
  const chromium = await Chromium.start(BROWSER as string);
  try {
    writeFileSync(join(house.cwd, ".troupe", "workflows", "long.yaml"), LONG);
    const api = new Api(await startServer(house, [], ENV));
    const { run } = await api.start("long", { consent: "ask" });
    const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`, NARROW);
    await page.sees(".ask .options button");
    // What lies at the middle of each, and whether the rest of the question is still to be read.
    const seen = `[...document.querySelectorAll(".ask .options button")].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    })`;
    const room = `document.querySelector(".asks").clientHeight - document.querySelector(".ask .options").offsetHeight`;
    for (const look of [NARROW, WIDE]) {
      await page.looks(look);
      expect(new Set((await page.evaluate(seen)) as boolean[])).toEqual(new Set([true]));
      expect(await page.evaluate(room)).toBeGreaterThan(120);
    }
    expect(await barriers(page)).toEqual([]);
    await page.click(".ask [data-kind=reject_once]");
    await page.finds(`document.querySelector(".ask") === null`);
    expect(await wrongIn(page)).toEqual([]);
  } finally {
    await chromium.leave();
    await house.leave();
  }
});

test.skipIf(BROWSER === null)("Send stays in sight below a long form (skipped without Chromium)", async () => {
  const house = openHouse(["acceptance/hello.yaml"]);
  const chromium = await Chromium.start(BROWSER as string);
  try {
    writeFileSync(join(house.cwd, ".troupe", "workflows", "many.yaml"), MANY);
    const api = new Api(await startServer(house, [], ENV));
    const { run } = await api.start("many", { consent: "ask" });
    const page = await pageAt({ chromium }, `${api.at}/#/run/${run}`, NARROW);
    await page.sees(".ask .primary");
    const seen = `(() => {
      const send = document.querySelector(".ask .primary");
      const { x, y, width, height } = send.getBoundingClientRect();
      return send.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    })()`;
    for (const look of [NARROW, WIDE]) {
      await page.looks(look);
      expect(await page.evaluate(seen)).toBe(true);
    }
    expect(await barriers(page)).toEqual([]);
  } finally {
    await chromium.leave();
    await house.leave();
  }
});
