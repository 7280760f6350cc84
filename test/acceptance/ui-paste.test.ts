/** What is pasted into `troupe ui`, on a real terminal. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";
import { hasTmux, type Tmux } from "../support/tmux.ts";
import { has, startUi } from "../support/ui.ts";

let house: House;
let terminal: Tmux;
beforeEach(() => {
  house = openHouse(["acceptance/talk.yaml"]);
});
afterEach(async () => {
  terminal.close();
  await house.leave();
});

describe.skipIf(!hasTmux)("troupe ui (skipped where there is no tmux)", () => {
  test.each([[""], [" --plain"]])(
    "I2: a paste is one answer with its lines, and no key: ui%s",
    {
      timeout: 40_000,
    },
    async (option) => {
      await house.troupe(["run", "talk", "--trust"]).ended;
      terminal = startUi(house, { columns: 80, rows: 24 }, `ui${option}`);
      await terminal.shows(has("? talk"));
      // As keys they would cancel the run.
      terminal.paste("c\ny");
      await terminal.shows(has("there is nothing to paste into here"));
      terminal.type("a");
      await terminal.shows(has("Who are you?"));
      terminal.paste("first line\ncyan is nice");
      await terminal.shows(has("> first line", "  cyan is nice"));
      terminal.type("Enter");
      await terminal.shows(has("answered"));
      const rows = storedSessions(house.store).flatMap((one) => storedRows(house.store, one));
      expect(rows.filter(({ type }) => type === "input.answered")).toMatchObject([
        { payload: { text: "first line\ncyan is nice" } },
      ]);
      expect(rows.filter(({ type }) => type === "run.completed")).toEqual([]);
    },
  );
});
