/**
 * `troupe run` as a person sees it, on a real terminal: tmux draws what the built program writes, and each screen is
 * compared with a golden one. The steps wait for files that the test makes. Times are masked.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import { hasTmux, type Size, steadyScreen, Tmux } from "../support/tmux.ts";

const SIZES: Size[] = [
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 40, rows: 24 },
];
let house: House;
let terminal: Tmux;
afterEach(async () => {
  terminal.close();
  await house.leave();
});

const place = (): void => {
  house = openHouse(["screen/release.yaml"]);
};
const start = (size: Size, args: string, env = {}): Tmux => {
  mkdirSync(house.root, { recursive: true });
  const command = `${process.execPath} ${PROGRAM} ${args}`;
  terminal = new Tmux(house.root, { ...size, cwd: house.cwd, env: { ...house.env, NO_COLOR: "1", ...env }, command });
  return terminal;
};
const go = (name: string): void => writeFileSync(join(house.cwd, name), "");
const steady = (screen: string): string => `${steadyScreen(screen)}\n`;
const golden = async (
  size: Size,
  name: string,
  looks: (screen: string) => boolean,
  masked = (screen: string) => screen,
): Promise<void> => {
  const file = join(import.meta.dirname, `golden/screen/${name}-${size.columns}.txt`);
  const shown = await terminal.shown(file, (screen) => steady(masked(screen)), looks);
  return expect(shown).toMatchFileSnapshot(file);
};
const has =
  (...texts: string[]) =>
  (screen: string): boolean =>
    texts.every((text) => screen.includes(text));

describe.skipIf(!hasTmux)("the screen of a run (skipped where there is no tmux)", () => {
  test.each(SIZES)("at $columns columns", async (size) => {
    place();
    start(size, "run release --trust");
    await golden(size, "branches", has("100%", "second", "- the README", "2 of 10"));
    expect(terminal.hasCursor()).toBe(false);
    go("go-unit");
    await terminal.shows(has("✓ unit"));
    go("go-ends");
    // The branch that failed has cancelled the one that would never end.
    await golden(size, "rounds", has("▸ look[c]", "looking at c"));
    go("go-look");
    await golden(size, "question", (screen) => screen.endsWith("\n>"));
    expect(terminal.hasCursor()).toBe(true);
    terminal.type("1", "Enter");
    await golden(size, "failed", has("[ended 4]"));
    expect(terminal.hasCursor()).toBe(true);
  });

  test("of a new size is drawn anew, and leaves nothing behind", async () => {
    place();
    start({ columns: 120, rows: 40 }, "run release --trust");
    await terminal.shows(has("second", "- the README", "100%"));
    for (const size of [
      { columns: 50, rows: 20 },
      { columns: 40, rows: 14 },
      { columns: 100, rows: 30 },
    ]) {
      terminal.resize(size);
      const screen = await terminal.shows(
        (text) => text.split("\n").at(-1)?.includes("of 10 steps") === true && text.split("▸ check").length === 2,
      );
      expect(screen.split("of 10 steps").length).toBe(2);
    }
    terminal.type("C-c");
    const last = await terminal.shows(has("[ended 130]"));
    expect(last).toContain("■ release cancelled");
    expect(last).not.toContain("of 10 steps");
    expect(terminal.hasCursor()).toBe(true);
  });

  test("gives the cursor back when the program is ended from outside", async () => {
    place();
    start({ columns: 80, rows: 24 }, "run release --trust");
    await terminal.shows(has("second"));
    expect(terminal.hasCursor()).toBe(false);
    terminal.signal("TERM");
    await terminal.shows(has("[ended 130]"));
    expect(terminal.hasCursor()).toBe(true);
  });

  test("shows the running steps when an interrupted run is resumed", async () => {
    place();
    const size = { columns: 80, rows: 24 };
    const first = house.troupe(["run", "release", "--trust"]);
    await new Promise<void>((resolve) => {
      first.onLine = (line) => (line.includes("Two remarks") ? resolve() : undefined);
    });
    first.kill();
    await first.ended;
    start(size, "resume @last --recover=rerun");
    // How much of its text was committed before the kill is a matter of milliseconds.
    const masked = (screen: string) => screen.replace(/(▸ review[^\n]*\n)( +│[^\n]*\n)+/, "$1      │ …\n");
    await golden(size, "resumed", has("100%", "second", "- the README", "2 of 10"), masked);
    terminal.type("C-c");
    await terminal.shows(has("[ended 130]"));
  });

  test("is not drawn where it is not wanted", async () => {
    place();
    start({ columns: 80, rows: 24 }, "run release --trust --output full");
    const full = await terminal.shows(has("100%", "Two remarks"));
    expect(full).toContain("→ fetch");
    terminal.type("C-c");
    await terminal.shows(has("[ended 130]"));
    terminal.close();
    start({ columns: 81, rows: 24 }, "run release --trust --output quiet < /dev/null");
    go("go-unit");
    go("go-ends");
    go("go-look");
    const quiet = await terminal.shows(has("[ended 4]"));
    expect(quiet).toMatch(/^\n?troupe: there is no one to ask here, .*\nnot deployed\n✗ release failed/);
  });
});
