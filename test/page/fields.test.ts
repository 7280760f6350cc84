/** Forms of the page, and what is typed into them, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import type { Page } from "../real/browser/page.ts";
import { storedRows } from "../support/house.ts";
import { barriers, goTo, openScene, pageAt, type Scene, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const FILLED = `name: filled
inputs:
  - {name: task, type: string, default: "one\\ntwo"}
  - {name: who, type: string, default: Ann}
  - {name: kind, type: string, validation: {enum: [a, b]}}
  - {name: place, type: string, required: true, validation: {enum: [here, there]}}
  - {name: loud, type: boolean}
  - {name: api_token, type: string}
states:
  initial: first
  first: {type: step, command: "true", on_success: second}
  second: {type: step, command: "echo '{{.inputs.task}}' for '{{.inputs.who}}'", on_success: done}
  done: {type: terminal}
`;
const BOTH = `name: both
states:
  initial: fork
  fork: {type: parallel, parallel: [left, right], on_success: done}
  left: {type: ask, questions: [{name: a, prompt: On the left?}]}
  right: {type: ask, questions: [{name: b, prompt: On the right?}]}
  done: {type: terminal}
`;

describe.skipIf(BROWSER === null)("forms in Chromium (skipped where there is none)", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
    for (const [name, text] of Object.entries({ filled: FILLED, both: BOTH }))
      writeFileSync(join(scene.house.cwd, ".troupe", "workflows", `${name}.yaml`), text);
  });
  afterAll(() => scene.leave());

  const shown = (page: Page, form: string): Promise<unknown> =>
    page.evaluate(`Object.fromEntries(new FormData(document.querySelector("${form}")))`);
  const isRun = async (page: Page): Promise<string> => {
    await page.sees(".run-head .chip.completed");
    return String(await page.evaluate('document.querySelector(".run-head .id").textContent'));
  };
  const inputsOf = async (run: string): Promise<unknown> => {
    const { session } = await scene.api.run(run);
    const rows = storedRows(scene.house.store, session);
    return rows.flatMap((row) => (row.type === "run.started" && row.run === run ? [row.payload.inputs] : []))[0];
  };

  test("I1-I3: what is not touched stays as it is, a text keeps its lines, nothing is chosen by itself", async () => {
    const page = await pageAt(scene, `${scene.api.at}/#/workflow/filled`);
    await page.sees("form.start", "api_token");
    const none = { kind: "", place: "", loud: "", api_token: "" };
    expect(await shown(page, "form.start")).toEqual({ task: "one\ntwo", who: "Ann", ...none });
    expect(await page.evaluate(`document.querySelector('[name="api_token"]').type`)).toBe("password");
    expect(await barriers(page)).toEqual([]);
    // A choice that has to be made is asked for.
    expect(await page.evaluate('document.querySelector("form.start").checkValidity()')).toBe(false);
    await page.evaluate(`document.querySelector('[name="place"]').value = "there"`);
    await page.click("form.start .primary");
    const first = await isRun(page);
    expect(await inputsOf(first)).toEqual({ task: "one\ntwo", who: "Ann", place: "there" });

    // Done again from a step on with nothing changed, it is what it was.
    await page.click(".acts button");
    await page.finds(`document.querySelector(".rerun [name=who]")?.value === "Ann"`);
    expect(await shown(page, ".rerun")).toMatchObject({ task: "one\ntwo", place: "there", loud: "" });
    await page.evaluate(`document.querySelector('.rerun [name="again-from"]').value = "second"`);
    await page.click(".rerun .primary");
    await page.sees(".again-of");
    const second = await isRun(page);
    expect(await inputsOf(second)).toEqual(await inputsOf(first));

    // A text that is emptied is given so, and is not what the earlier run had.
    await page.click(".acts button");
    await page.finds(`document.querySelector(".rerun [name=who]")?.value === "Ann"`);
    await page.evaluate(`document.querySelector('.rerun [name="who"]').value = ""`);
    await page.click(".rerun .primary");
    await page.finds(
      `![null, ${JSON.stringify(second)}].includes(document.querySelector(".run-head .id")?.textContent ?? null)`,
    );
    const last = await isRun(page);
    expect(await inputsOf(last)).toMatchObject({ task: "one\ntwo", who: "" });
    expect(await wrongIn(page)).toEqual([]);
  });

  test("what is typed for one question stays with it when another is answered elsewhere", async () => {
    const { run } = await scene.api.start("both");
    const page = await pageAt(scene, `${scene.api.at}/#/`);
    await goTo(page, `/run/${run}`);
    await page.sees(".ask", "On the left?");
    await page.sees(".ask", "On the right?");
    for (const [name, text] of [
      ["a", "left"],
      ["b", "right"],
    ])
      await page.type(`.ask [name="${name}"]`, String(text));
    const { questions } = await scene.api.run(run);
    const left = questions.find(({ step }: { step: string }) => step.endsWith("left"));
    await scene.api.post(`/api/runs/${run}/answer`, { text: "said", question: left.input });
    await page.finds(`document.querySelectorAll(".ask").length === 1`);
    expect(await shown(page, ".ask form")).toEqual({ b: "right\n" });
    await page.click(".ask .primary");
    await isRun(page);
  });
});
