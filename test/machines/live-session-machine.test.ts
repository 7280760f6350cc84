/** A session in one process: which prompts it takes, and what becomes of a turn that is left alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChartTable } from "../../actors/host/chart-table.ts";
import { bornInXState } from "../../actors/host/interpret.ts";
import type { LiveEvent } from "../../machines/live-session/vocabulary.ts";
import { liveSessionMachine } from "../../machines/live-session-machine.ts";
import { born, moved, told } from "../support/oracle.ts";
import { leaves, named } from "../support/paths.ts";
import {
  answered,
  asked,
  came,
  cancel,
  closed,
  deserted,
  durable,
  elsewhere,
  ended,
  failed,
  type Heard,
  left,
  lived,
  lost,
  OVER,
  region,
  reserved,
  sent,
  turn,
} from "./session/lived.ts";

const EVENTS = [
  ...[reserved(), reserved("q", "b"), reserved("r", null), sent, durable, failed, ended, answered(), answered("q")],
  ...[cancel, deserted, came("a"), came("b"), left("a"), left("b", 9), elsewhere],
  ...[asked("x"), asked("y"), closed("x"), closed("y"), lost],
];

test("every state is reached, and the chart's table does what XState does", () => {
  const table = new ChartTable(liveSessionMachine);
  const first = born(liveSessionMachine, {});
  expect(told(liveSessionMachine, table.born({}) ?? first)).toStrictEqual(
    told(liveSessionMachine, bornInXState(liveSessionMachine, {})),
  );
  const seen = new Map([[JSON.stringify([first.snapshot.value, first.snapshot.context]), first.snapshot]]);
  for (const snapshot of seen.values())
    for (const event of EVENTS) {
      expect(table.moved(snapshot, event), `${event.type} is left to XState`).not.toBeNull();
      const next = moved(liveSessionMachine, snapshot, event).snapshot;
      if (seen.size < 1_500) seen.set(JSON.stringify([next.value, next.context]), next);
    }
  const states = new Set([...seen.values()].flatMap(({ value }) => named(value).split(",")));
  expect([...states].sort()).toEqual(leaves(liveSessionMachine.root, "").sort());
});

test("after any events, at most one prompt keeps others out and no viewer waits for two answers (I1)", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }), (events) => {
      let { snapshot } = born(liveSessionMachine, {});
      for (const event of events) {
        snapshot = moved(liveSessionMachine, snapshot, event).snapshot;
        const { prompt, answering } = snapshot.context;
        expect(prompt === null).toBe(snapshot.value.prompt === "free");
        expect(snapshot.hasTag("keeps others out")).toBe(prompt !== null);
        const waiting = [...answering, ...(prompt === null ? [] : [prompt])].flatMap(({ by }) => by ?? []);
        if (event.type === "prompt.reserved") expect(new Set(waiting).size).toBe(waiting.length);
      }
    }),
    { numRuns: 200 },
  );
});

describe("a prompt", () => {
  test.each<[string, Heard, string[]]>([
    [
      "goes its way",
      [reserved(), sent, durable, ended, answered()],
      ["free", "reserved", "starting", "running", "free", "prompt.over p!"],
    ],
    [
      "without a client to answer is over with its turn (I3)",
      [reserved("p", null), sent, ended],
      ["free", "reserved", "starting", "prompt.over p!", "free"],
    ],
    [
      "that never began is answered",
      [reserved(), sent, failed, answered()],
      ["free", "reserved", "starting", "free", "prompt.over p!"],
    ],
    [
      "whose log is lost is answered",
      [reserved(), sent, durable, failed, answered()],
      ["free", "reserved", "starting", "running", "free", "prompt.over p!"],
    ],
    [
      "whose client has left is over with its turn (I3)",
      [reserved(), sent, durable, answered(), ended],
      ["free", "reserved", "starting", "running", "prompt.over p!", "free"],
    ],
    [
      "whose client left before it was in the log is over with its turn (I3)",
      [reserved(), sent, answered(), durable, ended],
      ["free", "reserved", "starting", "running", "prompt.over p!", "free"],
    ],
    ["is given back", [reserved(), answered()], ["free", "reserved", "prompt.over p!", "free"]],
    [
      "is taken back before it was sent on (I2)",
      [reserved(), cancel, cancel, sent, answered()],
      ["free", "reserved", "prompt.withdrawn p!", "withdrawn", "prompt.over p!", "free"],
    ],
    [
      "is taken back when its own viewer leaves before it was sent on, not when another does (I2)",
      [came("a"), came("b"), reserved(), left("b"), left("a"), answered()],
      ["free", "reserved", "prompt.withdrawn p!", "withdrawn", "prompt.over p!", "free"],
    ],
    [
      "that is cancelled on its way into the log is cancelled once it is there (I2)",
      [reserved(), sent, cancel, durable],
      ["free", "reserved", "starting", "cancel.requested!", "running"],
    ],
    [
      "is cancelled rather than deserted where both happen (I2)",
      [reserved(), sent, deserted, cancel, deserted, durable],
      ["free", "reserved", "starting", "cancel.requested!", "running"],
    ],
    [
      "is deserted on its way into the log (I2)",
      [reserved(), sent, deserted, durable, cancel],
      ["free", "reserved", "starting", "session.deserted!", "running"],
    ],
    [
      "is deserted while it runs (I5)",
      [reserved(), sent, durable, deserted],
      ["free", "reserved", "starting", "running", "session.deserted!"],
    ],
    [
      "may end before it is reported to be durable",
      [reserved(), sent, ended, durable],
      ["free", "reserved", "starting", "free"],
    ],
  ])("%s", (_, heard, expected) => {
    expect(lived(region("prompt"), heard)).toEqual(expected);
  });

  test.each<[string, Heard, string | null]>([
    ["while one is reserved, no other", [reserved("q", "b"), reserved()], "q"],
    ["while one is being taken back, no other", [reserved("q", "b"), cancel, reserved()], "q"],
    ["while one is on its way, no other", [reserved("q", "b"), sent, reserved()], "q"],
    ["while one runs, no other", [reserved("q", "b"), sent, durable, reserved()], "q"],
    ["while an answer is owed, another viewer's", [reserved("q", "b"), sent, ended, reserved()], "p"],
    ["while an answer is owed, one without a viewer", [reserved("q", "b"), sent, ended, reserved("r", null)], "r"],
    ["while an answer is owed, none of the viewer that waits for it", [reserved("q"), sent, ended, reserved()], null],
    ["once it is answered, any", [reserved("q"), sent, ended, answered("q"), reserved()], "p"],
  ])("is taken (I1): %s", (_, heard, expected) => {
    let { snapshot } = born(liveSessionMachine, {});
    for (const event of heard as LiveEvent[]) snapshot = moved(liveSessionMachine, snapshot, event).snapshot;
    expect(snapshot.context.prompt?.name ?? null).toBe(expected);
  });
});

describe("a turn whose viewers have left", () => {
  const running = (by: string | null): LiveEvent[] => [reserved("t", by), sent, durable];
  test.each<[string, Heard, string[]]>([
    [
      "is ended at once where there is no grace (I5)",
      [came("a"), ...running("a"), left("a"), 0],
      ["unattended", "attended", "waiting", "session.deserted!", "unattended"],
    ],
    ["runs within the grace", [came("a"), ...running("a"), left("a", 10), 9], ["unattended", "attended", "waiting"]],
    [
      "is ended after it, once",
      [came("a"), ...running("a"), left("a", 10), 10, 100],
      ["unattended", "attended", "waiting", "session.deserted!", "unattended"],
    ],
    [
      "keeps running when a viewer comes within the grace; that one is asked anew (I4)",
      [came("a"), ...running("a"), left("a", 10), 9, came("b"), 100],
      ["unattended", "attended", "waiting", "asked.changed!", "attended"],
    ],
    [
      "is not ended if none of them began it (I5)",
      [...running(null), came("a"), left("a", 10), 100],
      ["unattended", "asked.changed!", "attended", "unattended"],
    ],
    [
      "is not ended if another process runs it (I5)",
      [came("a"), ...turn("a"), elsewhere, left("a", 10), 100],
      ["unattended", "attended", OVER, "unattended"],
    ],
    [
      "is not ended if it began from outside meanwhile (I5)",
      [came("a"), ...turn("a"), left("a", 10), ...running(null), 100],
      ["unattended", "attended", OVER, "waiting", "unattended"],
    ],
    ["is none before the first turn (I5)", [came("a"), left("a", 10)], ["unattended", "attended", "unattended"]],
  ])("%s", (_, heard, expected) => {
    expect(lived(region("viewers"), heard)).toEqual(expected);
  });
});
