/** `troupe chat` as a person uses it: the built program on a real terminal, with a fake agent, against golden screens. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { hasTmux, type Tmux } from "../support/tmux.ts";
import { has, isGolden, startUi } from "../support/ui.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));
const SIZE = { columns: 80, rows: 24 };
let house: House;
let terminal: Tmux;
beforeEach(async () => {
  house = openHouse([]);
  await house.troupe(["agents", "add", "mine", "--files", "write", "--", process.execPath, AGENT]).ended;
  await house.troupe(["agents", "trust", "mine", "--yes"]).ended;
  terminal = startUi(house, SIZE, "chat mine");
  await terminal.shows(has("mine · :help"));
});
afterEach(async () => {
  terminal.close();
  await house.leave();
});

const type = (text: string): void => terminal.type("-l", text);
const enter = (): void => terminal.type("Enter");

describe.skipIf(!hasTmux)("troupe chat (skipped where there is no tmux)", () => {
  test("an edit is shown with its diff before it is made, and can be rejected afterwards", async () => {
    const file = join(house.cwd, "a.txt");
    type("write a.txt");
    enter();
    await terminal.shows(has("must be absolute"));
    type(`write ${file}`);
    enter();
    await isGolden(terminal, house, { size: SIZE, name: "chat-question", looks: has("+ written", "1) Yes") });
    expect(existsSync(file)).toBe(false);
    terminal.type("1");
    await terminal.shows(has("+1 -0", "1 to decide"));
    expect(readFileSync(file, "utf8")).toBe("written");
    type(":reject");
    enter();
    await isGolden(terminal, house, {
      size: SIZE,
      name: "chat-rejected",
      looks: has("it is as it was before", "mine · :help"),
    });
    expect(existsSync(file)).toBe(false);
  });

  test("waiting prompts are held after a cancel, and commands are completed", async () => {
    type("wait");
    enter();
    await terminal.shows(has("at work, esc stops it"));
    type("say later");
    enter();
    await terminal.shows(has("⋯ 1 say later"));
    terminal.type("Escape");
    await terminal.shows(has("— cancelled —", ":go sends what waits"));
    type(":g");
    await terminal.shows(has("send what waits since a cancel"));
    terminal.type("Tab");
    enter();
    await terminal.shows((screen) => /❯ say later\nlater\n/.test(screen));
    terminal.type("C-d");
    await terminal.shows(has("continue with troupe chat --resume", "[ended 0]"));
  });
});
