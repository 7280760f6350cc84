/**
 * `troupe ui` as a person uses it: the built program on a real terminal, driven by keys, its screens compared with
 * golden ones. Other processes run what it shows. Times and ids are masked.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { SdkEditor } from "../support/sdk-editor.ts";
import { hasTmux, type Size, type Tmux } from "../support/tmux.ts";
import { has, isGolden, type Looks, startUi } from "../support/ui.ts";

const SIZES: Size[] = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 24 },
];
const TRUST = { TROUPE_TRUST: "1" };
let house: House;
let terminal: Tmux;
beforeEach(() => {
  house = openHouse(["screen/release.yaml", "acceptance/gate.yaml", "screen/greet.yaml"]);
});
afterEach(async () => {
  terminal.close();
  await house.leave();
});

const start = (size: Size, args?: string): void => {
  terminal = startUi(house, size, args);
};
const go = (name: string): void => writeFileSync(join(house.cwd, name), "");
const golden = (size: Size, name: string, looks: Looks): Promise<void> =>
  isGolden(terminal, house, { size, name, looks });

describe.skipIf(!hasTmux)("troupe ui (skipped where there is no tmux)", () => {
  test.each(SIZES)("shows a run of another process, at $columns columns", async (size) => {
    const other = house.troupe(["run", "release", "--trust"]);
    start(size);
    await golden(size, "list", has("❯ ▸ release", "check/unit, check", size.columns < 72 ? "" : "$0.2500"));
    expect(terminal.hasCursor()).toBe(false);
    terminal.type("Enter");
    await golden(size, "run", has("100%", "second", "- the README"));
    terminal.type("/", "e", "n", "d", "s", "Enter");
    await terminal.shows((screen) => /❯ .*▸ ends/.test(screen));
    terminal.type("?");
    await golden(size, "help", has("keys", "first failure"));
    terminal.type("x");
    go("go-unit");
    await terminal.shows(has("✓ unit"));
    go("go-ends");
    go("go-look");
    // No one can be asked there: the gate is denied, and the run comes to its end.
    await other.ended;
    await terminal.shows((screen) => /^release [\w-]+ failed/.test(screen) && screen.includes("✗ deploy"));
    terminal.type("f");
    await golden(size, "failed", (screen) => /❯ .*✗ lint/.test(screen));
    terminal.type("Enter");
    await golden(size, "step", has("→ lint", "failed (exit 3)"));
    terminal.type("y");
    await terminal.shows(has("it is in the clipboard"));
    terminal.type("q", "q");
    await golden(size, "ended", has("❯ ✗ release", "failed in deploy".slice(0, 9)));
    terminal.type("q");
    await terminal.shows(has("[ended 0]"));
    expect(terminal.hasCursor()).toBe(true);
  });

  test("answers what an editor is asked, while the editor watches", async () => {
    const editor = await SdkEditor.onPipes(house.troupe(["acp"], TRUST));
    const session = await editor.open(house.cwd);
    const turn = editor.prompt(session, "/gate");
    const put = await editor.asked(0);
    const size = { columns: 80, rows: 24 };
    start(size);
    await terminal.shows(has("1 waits for you", 'Run step "open"?'));
    terminal.type("a");
    await golden(size, "question", has("May the gate be opened?", "1) "));
    terminal.type("1");
    expect(await turn).toEqual({ stopReason: "end_turn" });
    await editor.until(() => put.isWithdrawn);
    expect(storedRows(house.store, session).filter(({ type }) => type === "permission.resolved")).toMatchObject([
      { payload: { outcome: "selected", option: "allow" } },
    ]);
    await terminal.shows(has("✓ gate", "completed"));
    terminal.type("q");
    await terminal.shows(has("[ended 0]"));
  });

  test("begins a run by a form, trusts its directory, and answers its conversation", async () => {
    const size = { columns: 80, rows: 24 };
    start(size);
    await terminal.shows(has("No runs yet"));
    terminal.type("n");
    await terminal.shows(has("greet"));
    terminal.type("g", "r", "e", "e", "t", "Enter");
    await terminal.shows(has("who", "▏"));
    terminal.type("Enter");
    await terminal.shows(has("it is required"));
    terminal.type("A", "n", "n", "Enter", "Right", "Right");
    await golden(size, "form", has("who: Ann", "loud"));
    terminal.type("Enter");
    await terminal.shows(has("1 waits for you", "Trust"));
    terminal.type("a");
    await terminal.shows(has("1) Trust this directory"));
    terminal.type("1");
    await terminal.shows(has("❯ ? greet", "Hello Ann, loud"));
    terminal.type("a");
    await terminal.shows(has("waits for your answer", "> ▏"));
    terminal.type("b", "y", "e", "Enter");
    // The answer is on the screen while it is typed. The next question is the run's row.
    await terminal.shows((screen) => /^❯ \? greet .* bye /m.test(screen));
    terminal.type("a");
    await terminal.shows(has("> ▏"));
    terminal.type("Enter");
    await terminal.shows(has("✓ greet", "completed"));
    terminal.type("q");
    await terminal.shows(has("[ended 0]"));
  });

  test("reports changes as plain lines, for a screen reader", async () => {
    start({ columns: 80, rows: 24 }, "ui --plain");
    await terminal.shows(has("No runs yet"));
    const other = house.troupe(["run", "release", "--trust"]);
    await terminal.shows(has("▸ release", "check/unit"));
    other.kill();
    await other.ended;
    // Nothing reports that a process is gone: the next key looks.
    terminal.type("Down");
    await terminal.shows(has("interrupted"));
    terminal.type("q");
    const all = await terminal.shows(has("[ended 0]"));
    expect(all.indexOf("No runs yet")).toBeLessThan(all.indexOf("release"));
  });
});
