/** Every key can be read, however low the terminal is. */
import { expect, test } from "vitest";
import type { UiStage } from "../../../transports/ui/view.ts";
import { HelpView } from "../../../transports/ui/views/help-view.ts";

test("what has no room is scrolled to, and any other key leaves", () => {
  let left = 0;
  const help = new HelpView(
    [
      ["a", "answer"],
      ["b", "begin"],
    ],
    { back: () => (left += 1) } as unknown as UiStage,
  );
  const shown = (height: number) => help.lines({ width: 40, height, now: 0, colours: false });
  expect([shown(5).length, help.keys]).toEqual([5, [["any key", "back"]]]);
  expect(shown(3).at(-1)).toContain("pgup");
  expect(help.keys[0]).toEqual(["↑↓", "scroll"]);
  for (const key of ["down", "down", "down"]) help.press(key);
  expect([shown(3).at(-1), left]).toEqual([expect.stringContaining("ctrl-c"), 0]);
  help.press("up");
  expect(shown(3).at(-1)).toContain("q esc");
  help.press("x");
  expect(left).toBe(1);
});
