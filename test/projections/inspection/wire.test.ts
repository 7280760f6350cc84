import { expect, test } from "vitest";
import type { Inspection } from "../../../machines/inspection.ts";
import { MOST_CHARS, WIRE_VERSION, wireText } from "../../../projections/inspection/wire.ts";
import { moved } from "./seen.ts";

const messages = (all: readonly Inspection[]) => all.map((seen, at) => JSON.parse(wireText({ n: at + 1, seen })));
const common = { rootId: "session/s", sessionId: "run/r", createdAt: "1000", _version: WIRE_VERSION };

test("the messages are those of Stately's inspector", () => {
  expect(messages(moved("run/r", "xstate.init", { source: "session/s" }))).toEqual([
    {
      ...{ type: "@xstate.actor", ...common, id: "1", name: "run" },
      ...{ definition: '{"id":"x"}', snapshot: { value: "born" } },
    },
    { type: "@xstate.event", ...common, id: "2", sourceId: "session/s", event: { type: "xstate.init" } },
    {
      ...{ type: "@xstate.snapshot", ...common, id: "3" },
      ...{ event: { type: "xstate.init" }, snapshot: { value: "xstate.init", status: "active" } },
    },
  ]);
});

test("I2: of a payload that is too long only its length is sent", () => {
  const long = JSON.stringify({ type: "x", text: "y".repeat(MOST_CHARS) });
  const [event, snapshot] = moved("run/r", "x").map((seen) => ({ ...seen, event: () => long, snapshot: () => long }));
  const told = messages([event, snapshot] as Inspection[]);
  expect(told.map((one) => one.event)).toEqual([
    { type: "x", troupe: `left out: ${long.length} characters` },
    { type: "x", troupe: `left out: ${long.length} characters` },
  ]);
  expect(told[1].snapshot).toEqual({
    status: "active",
    context: { troupe: `left out: ${long.length} characters` },
  });
});
