/** The form by which a run is done again, beside the run, in a real Chromium. Skipped by name where there is none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../real/browser/chromium.ts";
import { openScene, pageAt, type Scene, wrongIn } from "./scene.ts";

const BROWSER = findChromium();
const NAMES = Array.from({ length: 30 }, (_, index) => `s${index + 1}`);
const LONG = `name: long
inputs: [{name: one, type: string, default: ""}, {name: two, type: string, default: ""}, {name: three, type: string, default: ""}]
states:
  initial: s1
${NAMES.map((name, index) => `  ${name}: {type: step, command: "true", on_success: ${NAMES[index + 1] ?? "done"}}`).join("\n")}
  done: {type: terminal}
`;
/** Whether this is wholly within this. */
const within = (one: string, room: string): string => `(() => {
  const [it, around] = ["${one}", "${room}"].map((what) => document.querySelector(what).getBoundingClientRect());
  return it.top >= around.top && it.bottom <= around.bottom;
})()`;

describe.skipIf(BROWSER === null)("a run is done again (skipped where there is no Chromium)", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(BROWSER as string);
    writeFileSync(join(scene.house.cwd, ".troupe", "workflows", "long.yaml"), LONG);
  });
  afterAll(() => scene.leave());

  test("the form takes room, and leaves the step that is chosen in view", async () => {
    const { run } = await scene.api.start("long");
    await scene.api.whole(run);
    for (const step of ["s12", "s25"]) {
      const page = await pageAt(scene, `${scene.api.at}/#/run/${run}?step=${step}`);
      await page.sees(".step-head h2", step);
      await page.finds(within(".lane.chosen", ".timeline-pane"));
      await page.click(".again-here");
      await page.sees(".rerun option:checked", step);
      await page.finds(within(".lane.chosen", ".timeline-pane"));
      await page.finds(within(".node.chosen", ".canvas"));
      expect(await wrongIn(page)).toEqual([]);
    }
  });
});
