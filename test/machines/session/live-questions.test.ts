/** A session in one process: who is asked, and what becomes of a question. */
import { describe, expect, test } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import type { LiveEvent } from "../../../machines/live-session/vocabulary.ts";
import {
  asked,
  came,
  closed,
  elsewhere,
  ended,
  type Heard,
  left,
  lived,
  lost,
  OVER,
  region,
  reserved,
  sent,
  turn,
} from "./lived.ts";

const respondent = ({ context }: AnyMachineSnapshot): string =>
  `ask ${context.asked.is === "viewer" ? context.asked.viewer : context.asked.is}`;

const begins = (by: string | null): LiveEvent[] => [reserved("t", by), sent];

describe("what the session asks", () => {
  test.each<[string, Heard, string[]]>([
    ["is asked of no one before a turn", [came("a"), came("b")], ["ask no one"]],
    ["is asked of the viewer that prompts (I4)", [came("a"), came("b"), ...begins("b")], ["ask no one", "ask b"]],
    [
      "is asked of the viewer that prompted last",
      [came("a"), came("b"), ...turn("b"), ...begins("a")],
      ["ask no one", "ask b", OVER, "ask a"],
    ],
    [
      "is asked anew, of the viewer that has attended longest, when the one that was asked leaves (I4)",
      [came("a"), came("b"), came("c"), ...begins("c"), left("c")],
      ["ask no one", "ask c", "asked.changed!", "ask a"],
    ],
    [
      "is asked only of the viewer that came first (I4)",
      [...begins(null), came("a"), came("b")],
      ["ask no one", "ask next", "asked.changed!", "ask a"],
    ],
    [
      "stays where it is when another viewer leaves",
      [came("a"), came("b"), ...begins("a"), left("b")],
      ["ask no one", "ask a"],
    ],
    [
      "by a turn from outside is asked of the viewer that has attended longest, then of the next (I4)",
      [came("a"), came("b"), ...turn("b"), ...begins(null), left("a")],
      ["ask no one", "ask b", OVER, "asked.changed!", "ask a", "asked.changed!", "ask b"],
    ],
    [
      "by a turn of another process is asked of no one here (I4)",
      [came("a"), ...turn("a"), elsewhere, came("b"), left("a"), 100],
      ["ask no one", "ask a", OVER, "ask no one"],
    ],
    [
      "by a turn that is over is asked of no viewer that comes later",
      [...begins(null), ended, came("a")],
      ["ask no one", "ask next", OVER, "ask no one"],
    ],
    [
      "is asked of a viewer that comes while a turn runs without any",
      [...begins(null), came("a"), left("a"), came("b")],
      ["ask no one", "ask next", "asked.changed!", "ask a", "ask next", "asked.changed!", "ask b"],
    ],
  ])("%s", (_, heard, expected) => {
    expect(lived(respondent, heard)).toEqual(expected);
  });
});

test.each<[string, Heard, string[]]>([
  ["is open until it is answered", [asked("x"), closed("x")], ["none", "open", "none"]],
  ["is one of several", [asked("x"), asked("y"), asked("x"), closed("x"), closed("y")], ["none", "open", "none"]],
  ["goes with its session", [asked("x"), asked("y"), lost, closed("x")], ["none", "open", "none"]],
])("a question of this process %s", (_, heard, expected) => {
  expect(lived(region("questions"), heard)).toEqual(expected);
});
