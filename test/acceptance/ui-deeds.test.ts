/**
 * Actions on runs in `troupe ui`, by keys and by the mouse: runs are found, rerun, opened in the page, cancelled and
 * resumed, on a terminal that changes its size.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import { startServer } from "../support/server.ts";
import { hasTmux, type Size, type Tmux } from "../support/tmux.ts";
import { has, isGolden, type Looks, startUi } from "../support/ui.ts";

let house: House;
let terminal: Tmux;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
});
afterEach(async () => {
  terminal.close();
  await house.leave();
});
const start = (size: Size): void => {
  terminal = startUi(house, size);
};
const golden = (size: Size, name: string, looks: Looks): Promise<void> =>
  isGolden(terminal, house, { size, name, looks });
const go = (name: string): void => writeFileSync(join(house.cwd, name), "");
const write = (name: string, states: string): void =>
  writeFileSync(
    join(house.cwd, ".troupe", "workflows", `${name}.yaml`),
    `name: ${name}\nstates:\n  initial: first\n  ${states}\n  done: {type: terminal, message: over}\n`,
  );
const isTwo = ({ type, payload }: Exchange): boolean =>
  type === "step.started" && (payload as { name?: unknown }).name === "second";
/** What a terminal sends for a click in a row, and for a turn of the wheel. */
const click = (row: number): void => terminal.type("-l", `\u001b[<0;5;${row}M\u001b[<0;5;${row}m`);
const wheel = (to: "up" | "down"): void => terminal.type("-l", `\u001b[<${to === "up" ? 64 : 65};5;5M`);

describe.skipIf(!hasTmux)("troupe ui (skipped where there is no tmux)", () => {
  test("chooses, opens, finds and reruns, by mouse and by key, also after a change of size", {
    timeout: 60_000,
  }, async () => {
    write(
      "twice",
      "first: {type: step, command: echo one, on_success: second}\n  second: {type: step, command: 'echo two; [ -e go ]', on_success: done, on_failure: {message: no go, status: 3}}",
    );
    for (const args of [
      ["trust", "add"],
      ["run", "twice"],
      ["run", "hello"],
    ])
      await house.troupe(args).ended;
    const size = { columns: 80, rows: 24 };
    start(size);
    await terminal.shows(has("❯ ✓ hello", "  ✗ twice"));
    terminal.type("/", "t", "w", "i");
    await golden(size, "filter", has("troupe /twi", "❯ ✗ twice"));
    terminal.type("Escape");
    await terminal.shows(has("❯ ✗ twice", "✓ hello"));
    // The first line of the list is the second row.
    click(2);
    await terminal.shows(has("❯ ✓ hello"));
    wheel("down");
    await terminal.shows(has("❯ ✗ twice"));
    click(3);
    await terminal.shows(has("✗ second", "✓ first"));
    click(3);
    await terminal.shows((screen) => /❯ .*second/.test(screen));
    terminal.resize({ columns: 40, rows: 12 });
    await golden({ columns: 40, rows: 12 }, "resized", has("✗ second"));
    terminal.resize(size);
    terminal.type("R");
    await golden(size, "again", has("run twice", "again, from what failed of it on? y/n"));
    go("go");
    terminal.type("y", "q");
    await terminal.shows(has("✓ twice", "✗ twice", "✓ hello"));
    terminal.type("g");
    await terminal.shows(has("❯ ✓ twice"));
    terminal.type("R");
    await terminal.shows(has("again, from its beginning? y/n"));
    terminal.type("n", "q");
    await terminal.shows(has("[ended 0]"));
    expect(
      storedSessions(house.store)
        .flatMap((one) => storedRows(house.store, one))
        .filter(isTwo),
    ).toHaveLength(2);
  });

  test("opens a run in the page of a server of this user, and only there", { timeout: 40_000 }, async () => {
    await house.troupe(["run", "hello", "--trust"]).ended;
    const [opened, browser] = [join(house.root, "opened"), join(house.root, "browser")];
    execFileSync("mkfifo", [opened]);
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
    house.env["BROWSER"] = browser;
    start({ columns: 120, rows: 24 });
    await terminal.shows(has("❯ ✓ hello"));
    terminal.type("o");
    await terminal.shows(has("no server of yours runs"));
    const server = await startServer(house);
    terminal.type("o");
    const screen = await terminal.shows(has(`http://127.0.0.1:${server.port}/#/run/`));
    expect(await readFile(opened, "utf8")).toBe(/http:\S+/.exec(screen)?.[0]);
    server.process.kill(); // like a crash: its file stays
    await server.process.ended;
    terminal.type("o");
    await terminal.shows(has("no server of yours runs"));
    terminal.type("q");
    await terminal.shows(has("[ended 0]"));
  });

  test("cancels its own run, and resumes one that a crash has cut off", { timeout: 60_000 }, async () => {
    write(
      "slow",
      "first: {type: step, command: 'until [ -e go ]; do sleep 0.05; done', recover: rerun, on_success: done}",
    );
    await house.troupe(["trust", "add"]).ended;
    const cut = house.troupe(["run", "slow"]);
    const size = { columns: 80, rows: 24 };
    start(size);
    await terminal.shows(has("❯ ▸ slow", "first"));
    cut.kill();
    await cut.ended;
    terminal.type("Down");
    await terminal.shows(has("interrupted"));
    terminal.type("r");
    await terminal.shows(has("❯ ▸ slow", "first"));
    terminal.type("c");
    await golden(size, "cancel", has("cancel slow", "y/n"));
    terminal.type("y");
    await terminal.shows(has("cancelled"));
    terminal.type("n");
    await terminal.shows(has("new run"));
    terminal.type("s", "l", "o", "w");
    await terminal.shows(has("❯ slow"));
    terminal.type("Enter");
    await terminal.shows(has("It takes no inputs"));
    terminal.type("Enter");
    await terminal.shows(has("▸ slow", "1 running"));
    terminal.type("q");
    await terminal.shows(has("1 run of this window would be cancelled: leave?"));
    go("go");
    terminal.type("n");
    await terminal.shows(has("✓ slow", "completed"));
    terminal.type("q");
    await terminal.shows(has("[ended 0]"));
  });

  test("cancels a run of another process, which ends with it", { timeout: 60_000 }, async () => {
    write("slow", "first: {type: step, command: 'until [ -e go ]; do sleep 0.05; done', on_success: done}");
    await house.troupe(["trust", "add"]).ended;
    const other = house.troupe(["run", "slow"]);
    start({ columns: 80, rows: 24 });
    await terminal.shows(has("❯ ▸ slow", "first"));
    terminal.type("c");
    await terminal.shows(has("cancel slow", "y/n"));
    terminal.type("y");
    await terminal.shows(has("cancelled"));
    expect((await other.ended).code).toBe(130);
    terminal.type("q");
    await terminal.shows(has("[ended 0]"));
  });
});
