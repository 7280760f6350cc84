/** A chart as data. */
import { expect, test } from "vitest";
import { definitionOf, named } from "../../machines/definition.ts";

function spoken(): void {}

test("an action or guard has its name, with the parameters that are data", () => {
  expect([
    named("say"),
    named(spoken),
    named(
      (
        () => () =>
          undefined
      )(),
    ),
    named({ type: "say" }),
    named({ type: "say", params: { to: "all" } }),
    named({ type: "say", params: () => ({ to: "all" }) }),
  ]).toEqual(["say", "spoken", "inline", "say", { type: "say", params: { to: "all" } }, "say"]);
});

test("a chart's states and ways stand as they are written, without code", () => {
  const config = {
    id: "door",
    version: "3",
    description: "A door",
    context: () => ({}),
    initial: "shut",
    entry: [],
    states: {
      shut: {
        tags: ["quiet"],
        entry: "lock",
        exit: ["unlock", { type: "note", params: { what: "open" } }],
        always: { guard: spoken, target: "open" },
        on: {
          knock: [
            { guard: { type: "isFriend" }, target: "open", actions: ["greet"], description: "Friends come in" },
            "shut",
          ],
          kick: { actions: ["a", spoken], reenter: true },
        },
        after: { 1000: "open", long: { target: ["open", "shut"] } },
      },
      open: { type: "final", tags: "loud" },
    },
  };
  expect(definitionOf({ config: config as never })).toEqual({
    id: "door",
    version: "3",
    description: "A door",
    initial: "shut",
    states: {
      shut: {
        tags: ["quiet"],
        entry: "lock",
        exit: ["unlock", { type: "note", params: { what: "open" } }],
        always: { guard: "spoken", target: "open" },
        on: {
          knock: [{ guard: "isFriend", target: "open", actions: "greet", description: "Friends come in" }, "shut"],
          kick: { actions: ["a", "spoken"], reenter: true },
        },
        after: { 1000: "open", long: { target: ["open", "shut"] } },
      },
      open: { type: "final", tags: "loud" },
    },
  });
});
