/** A workflow's own view, in a real Chromium: its figures, its last runs, its faults. Skipped by name where there is none. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { barriers, goTo, NARROW, openScene, pageAt, type Scene, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const ODD = `name: odd
description: Fails where it is told to
inputs:
  - {name: ends, type: string, required: true, validation: {enum: ["well", "badly"]}}
states:
  initial: first
  first: {type: step, command: "true", on_success: second, on_failure: failed}
  second: {type: step, command: "test {{.inputs.ends}} = well", on_success: done, on_failure: failed}
  done: {type: terminal}
  failed: {type: terminal, status: failure, message: it ended badly}
`;
const NIGHTLY = `name: nightly
on: {schedule: {cron: "0 6 * * *", zone: UTC}}
states:
  initial: done
  done: {type: terminal}
`;
const BROKEN = `name: broken
states:
  initial: first
  first: {type: step, command: "true", on_success: nowhere}
  done: {type: terminal}
`;

describe.skipIf(BROWSER === null)("a workflow in Chromium (skipped where there is none)", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
    for (const [name, text] of Object.entries({ odd: ODD, broken: BROKEN, nightly: NIGHTLY }))
      writeFileSync(join(scene.house.cwd, ".troupe", "workflows", `${name}.yaml`), text);
  });
  afterAll(() => scene.leave());

  const rows = async (page: Page): Promise<string[][]> =>
    (await page.evaluate(
      `[...document.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent))`,
    )) as string[][];

  test("that a file is not as it was is said of one that was read, not of one that has not come yet", async () => {
    const file = join(scene.house.cwd, ".troupe", "workflows", "moved.yaml");
    writeFileSync(file, ODD.replace("odd", "moved"));
    const { run } = await scene.api.start("moved", { inputs: { ends: "well" } });
    await scene.api.whole(run);
    const page = await pageAt(scene, `${scene.api.at}/#/workflows`);
    await page.sees(".workflows strong", "odd");
    await page.evaluate(`{
      const real = fetch;
      const held = Promise.withResolvers();
      globalThis.release = held.resolve;
      globalThis.fetch = async (path, ...rest) => {
        if (String(path).startsWith("/api/workflows/")) await held.promise;
        return real(path, ...rest);
      };
    }`);
    const hints = (): Promise<string[]> => page.texts(".run .hint, main .hint");
    await goTo(page, `/run/${run}`);
    await page.sees(".run-head h1", "moved");
    await page.finds(`document.querySelector("svg") !== null`);
    expect((await hints()).filter((hint) => hint.includes("not as it was"))).toEqual([]);
    writeFileSync(file, ODD.replace("odd", "moved").replaceAll("second", "other"));
    await page.evaluate("release()");
    await page.sees(".hint", "not as it was");
    rmSync(file);
    expect(await wrongIn(page)).toEqual([]);
  });

  test("an address shows what it names, and nothing of the place before; what is not there is said", async () => {
    const page = await pageAt(scene, `${scene.api.at}/#/workflow/odd`);
    await page.sees(".workflow h1", "odd");
    await goTo(page, "/workflow/nope");
    await page.sees('[role="alert"]', "nope");
    expect(await page.texts("form.start")).toEqual([]);
    await goTo(page, "/workflow/nightly");
    await page.sees(".workflow h1", "nightly");
    expect(await page.texts(".workflow h2")).toEqual(["Start a run"]);
    await goTo(page, "/workflow/nope");
    await page.sees("main.wait", "This cannot be shown. All runs");
    await goTo(page, "/workflows");
    await page.sees(".workflows strong", "odd");
    await goTo(page, "/workflows?cwd=nowhere");
    await page.sees('[role="alert"]', "absolute path");
    expect(await page.texts(".workflows strong")).toEqual([]);
    await goTo(page, "/run/nope");
    await page.sees('[role="alert"]', "nope");
    await page.sees("main.wait", "This cannot be shown.");
    await page.click("main.wait a");
    await page.sees(".list-head h1", "Runs");
    expect(await wrongIn(page)).toEqual([]);
  });

  test("a long name makes no page wider than the screen", async () => {
    const name = "n".repeat(60);
    writeFileSync(join(scene.house.cwd, ".troupe", "workflows", `${name}.yaml`), ODD.replace("odd", name));
    const { run } = await scene.api.start(name, { inputs: { ends: "well" } });
    const page = await pageAt(scene, `${scene.api.at}/`, { width: 320, height: 640 });
    for (const place of [`/workflow/${name}`, `/run/${run}`]) {
      await goTo(page, place);
      await page.sees("h1", name);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    }
  });

  test("forms and notes fit a narrow screen", async () => {
    const step = "a_step_with_a_rather_long_name_of_its_own";
    writeFileSync(
      join(scene.house.cwd, ".troupe", "workflows", "long.yaml"),
      ODD.replace("odd", "long").replaceAll("first", step),
    );
    const { run } = await scene.api.start("long", { inputs: { ends: "badly" } });
    await scene.api.whole(run);
    const page = await pageAt(scene, `${scene.api.at}/#/workflows`, NARROW);
    await page.sees(".workflows strong", "long");
    const tops = `[...document.querySelectorAll(".list-head form :is(input, button)")].map((one) => one.offsetTop)`;
    const [field, button] = (await page.evaluate(tops)) as number[];
    expect(field).toBe(button);
    await goTo(page, "/run/nope");
    await page.sees(".note", "nope");
    expect(await page.evaluate('document.querySelector(".note").offsetWidth')).toBeGreaterThan(300);
    await goTo(page, `/run/${run}`);
    await page.sees(".run-head .chip.failed");
    await page.evaluate(
      `[...document.querySelectorAll(".acts button")].find((one) => one.textContent === "Run again").click()`,
    );
    await page.sees(".rerun option", step);
    expect(await page.evaluate('document.querySelector(".rerun").scrollWidth')).toBe(NARROW.width);
    expect(await wrongIn(page)).toEqual([]);
  });

  test("no line shows between the words of its label", async () => {
    const page = await pageAt(scene, `${scene.api.at}/#/workflow/odd`);
    await page.sees(".edge text");
    const left = `(() => {
      const style = getComputedStyle(document.querySelector(".edge text"));
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = style.fontSize + " " + style.fontFamily;
      const [sign, both] = [pen.measureText("="), pen.measureText("= =")];
      const gap = both.width - sign.actualBoundingBoxRight - sign.width - sign.actualBoundingBoxLeft;
      return Number.parseFloat(style.strokeWidth) - gap;
    })()`;
    expect(await page.evaluate(left)).toBeGreaterThan(1);
  });

  test("how often it failed, how long it and its steps took, and its last runs", async () => {
    for (const ends of ["well", "badly", "well", "well"])
      await scene.api.whole((await scene.api.start("odd", { inputs: { ends } })).run);
    const page = await pageAt(scene, `${scene.api.at}/#/workflow/odd`);
    await page.sees("h2", "of the last 4 that completed or failed");
    await page.finds(`[...document.querySelectorAll("tbody tr")].at(-1)?.cells[1].textContent === "4"`);
    const facts = (await page.texts("section .facts span")).join(" · ");
    expect(facts).toMatch(/^25 % failed · p50 [\d.]+ m?s · p95 [\d.]+ m?s$/);
    const time = expect.stringMatching(/^[\d.]+ m?s$/);
    expect(await rows(page)).toEqual([
      ["first", "4", "0", time, time],
      ["second", "4", "1", time, time],
    ]);
    expect((await page.texts(".last a")).map((text) => text.replace(/ \S+ ago$| just now$/, "").trim())).toEqual([
      "completed",
      "completed",
      "failed",
      "completed",
    ]);
    expect(await barriers(page)).toEqual([]);

    // A run that is begun by its form counts, too.
    await page.evaluate(`{
      const choice = document.querySelector('select[name="ends"]');
      choice.value = "badly";
      document.querySelector("form.start").requestSubmit();
    }`);
    await page.sees(".run-head .chip.failed");
    await page.sees(".fault", "it ended badly · the workflow ended in");
    await page.sees(".step-body .hint", "It said nothing.");
    await goTo(page, "/workflow/odd");
    await page.sees(".facts", "40 % failed");
    expect(await wrongIn(page)).toEqual([]);
  });

  test("its faults at their lines", async () => {
    const page = await pageAt(scene, `${scene.api.at}/#/workflow/broken`);
    const fault = await page.sees(".findings .error", "nowhere");
    expect(fault).toMatch(/^4:\d+ /);
    await page.sees(".findings");
    await goTo(page, "/workflows");
    await page.sees(".workflows li", "broken");
    await page.sees(".workflows .starts", "can start by itself (0 6 * * * UTC): troupe schedules enable nightly");
    expect(await barriers(page)).toEqual([]);
    expect(await wrongIn(page)).toEqual([]);
  });
});
