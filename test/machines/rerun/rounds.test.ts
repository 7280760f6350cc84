/** A run that begins again with one round of a loop: which one is meant, and what is taken over. Covers `rounds.ts`, `trail.ts`. */
import { describe, expect, it } from "vitest";
import type { Exchange, Row } from "../../../machines/exchange.ts";
import type { Json, LoopRest, RoundResult } from "../../../machines/model.ts";
import { takenOf } from "../../../machines/rerun/taken.ts";
import { trailOf } from "../../../machines/rerun/trail.ts";
import { readRun } from "../../../machines/run/reading.ts";
import { NOWHERE } from "../../../machines/run/walk.ts";
import type { Node } from "../../../machines/workflow/document.ts";
import { BAD, command, forEach, OK, result, runBirth, STOPPED, whileNode, workflow } from "../../support/documents.ts";

const log = (rows: Row[]): Exchange[] => rows.map((row, index) => ({ ...row, seq: index + 1, at: 0 }));
const begun = (step: string, name: string, item?: string): Row => ({
  type: "step.started",
  run: "r1",
  step,
  payload: {
    ...{ name, kind: "command", title: name, parallel: false },
    ...(item === undefined ? {} : { round: { item, of: 3 } }),
  },
});
const ended = (step: string, name = step): Row => ({
  type: "step.completed",
  run: "r1",
  step,
  payload: { name, kind: "command", status: "completed", exitCode: 0 },
});

const ITEMS = ["a", "b", "c"];
const round = (loop: string, index: number, item: string | undefined = ITEMS[index]): Row =>
  begun(`${loop}/${index}.look`, "look", item);
/** `build`, then a loop with these rounds. */
const rows = (...rounds: number[]): Row[] => [
  ...[begun("build", "build"), ended("build"), begun("each", "each")],
  ...rounds.flatMap((index) => [round("each", index), ended(`each/${index}.look`, "look")]),
  ended("each"),
];

const BUILD = command("build", { onSuccess: "each" });
const LOOK = command("look");
const IN_ORDER = forEach("each", ["look"], { items: ITEMS });
const AT_ONCE = forEach("each", ["look"], { items: ITEMS, fanned: { strategy: "all_succeed", maxConcurrent: 2 } });
const OUTPUT = { build: result(OK, "built") };

const reading = (loop: Node, more: object = {}) => ({
  ...{ workflow: workflow([BUILD, loop, LOOK]), inputs: {}, outcome: BAD, states: OUTPUT, rests: {} },
  ...more,
});
const from = (name: string, loop: Node, of: Row[], more: object = {}) =>
  takenOf("r1", reading(loop, more), trailOf(log(of), "r1"), { at: "step", name });
const whyNot = (name: string, loop: Node, of: Row[], more: object = {}): string => {
  const found = from(name, loop, of, more);
  return found.ok ? "" : found.fault.message;
};
const taken = (round: string, rest: LoopRest, rounds: RoundResult[] = []) => ({
  ok: true,
  taken: { run: "r1", from: "each", steps: ["build"], states: OUTPUT, round, earlier: { rest, rounds } },
});
const rest = (more: Partial<LoopRest>): LoopRest => ({ items: ITEMS, next: 3, again: [], states: {}, ...more });
const left = (index: number): RoundResult => ({ ...result(OK), Item: ITEMS[index] as Json, Index: index });

describe("which round is meant", () => {
  const kept = { rests: { each: rest({}) } };
  it.each([
    ["each[b]", "each[b]"],
    ["each[2]", "each[b]"],
    ["each[b]/look", "each[b]"],
    ["each[2]/look", "each[b]"],
    ["look[c]", "each[c]"],
  ])("%s is %s", (asked, name) => {
    expect(from(asked, AT_ONCE, rows(0, 1, 2), kept)).toMatchObject({ ok: true, taken: { round: name } });
  });

  it("a word that fits several rounds names none", () => {
    const how = `name one, as --from 'each[a]' or from="each[a]"`;
    expect(whyNot("look", AT_ONCE, rows(0, 1), kept)).toBe(`"look" names 2 rounds (each[a], each[b]): ${how}`);
    expect(whyNot("look", AT_ONCE, rows(0, 1, 2), kept)).toBe(`"look" names 3 rounds (each[a], each[b], …): ${how}`);
  });

  it("a round that there was not is no step of the run", () => {
    const why =
      'run "r1" has not come to a step "each[d]": it went by build, each; ' +
      "a step below one of these is run again with it, or with its round";
    expect(whyNot("each[d]", AT_ONCE, rows(0, 1))).toBe(why);
    const earlier = { taken: { run: "r0", from: "each", steps: [], states: {} } };
    expect(whyNot("each[d]", AT_ONCE, rows(0, 1), earlier)).toBe(
      `${why}; it took over what run "r0" had done: see that one for the rest`,
    );
    expect(whyNot("x", AT_ONCE, [])).toContain(": it went nowhere; a step below");
  });

  it("a loop that is none any more has no rounds, nor has one that was entered again later", () => {
    expect(whyNot("each[b]", command("each"), rows(0, 1))).toBe(
      'it cannot begin with "each[b]": "each" is no loop; begin with "each"',
    );
    const again = [...rows(0, 1), begun("each#2", "each"), begun("each#2/0.look", "look", "z")];
    expect(whyNot("each[b]", AT_ONCE, again)).toBe(
      'it cannot begin with "each[b]": "each" was entered again later, and what is kept is of its last rounds; begin with "each"',
    );
    expect(from("each#2[z]", AT_ONCE, again, kept)).toMatchObject({ ok: true, taken: { from: "each" } });
  });
});

describe("rounds that run at once", () => {
  it("the others that ended well are taken over, with what they have left (I1)", () => {
    const states = { ...OUTPUT, each: { ...result(OK), Rounds: [left(0), left(2)] } };
    const found = from("each[b]", AT_ONCE, rows(0, 1, 2), { states, rests: { each: rest({ again: [2, 0] }) } });
    expect(found).toEqual(taken("each[b]", rest({ again: [0, 1, 2] }), [left(0), left(2)]));
    const twice = from("each[c]", AT_ONCE, rows(0, 1, 2), { rests: { each: rest({ again: [2] }) } });
    expect(twice).toEqual(taken("each[c]", rest({ again: [2] })));
  });

  it("of a loop that ended well what its rounds have left says how many there were", () => {
    const states = { ...OUTPUT, each: { ...result(OK), Rounds: [left(0), left(1), left(2)] } };
    expect(from("each[a]", AT_ONCE, rows(0, 1, 2), { states })).toEqual(
      taken("each[a]", rest({ again: [0] }), [left(0), left(1), left(2)]),
    );
  });

  it("where nothing was left, the log says it, by names; who had none runs again (I2)", () => {
    const of = [...rows(0), round("each", 2, "c")];
    expect(from("each[c]", AT_ONCE, of)).toEqual(
      taken("each[c]", rest({ items: null, labels: ["a", null, "c"], next: 3, again: [2] })),
    );
  });

  it("what an earlier run had done counts, too", () => {
    const earlier = (more: Partial<LoopRest>) => ({
      taken: {
        ...{ run: "r0", from: "each", steps: ["build"], states: OUTPUT },
        earlier: { rest: rest({ again: [1], ...more }), rounds: [] },
      },
    });
    const labels = ["b", "a", "c"];
    expect(from("each[b]", AT_ONCE, [...rows(), round("each", 0, "b")], earlier({}))).toEqual(
      taken("each[b]", rest({ items: null, labels, next: 3, again: [0] })),
    );
    const named = earlier({ items: null, labels: ["a", "b", "c", "d"] });
    expect(from("each[b]", AT_ONCE, [...rows(), round("each", 0, "b")], named)).toEqual(
      taken("each[b]", rest({ items: null, labels, next: 3, again: [0] })),
    );
    const elsewhere = { taken: { ...earlier({}).taken, from: "build" } };
    expect(from("each[b]", AT_ONCE, [...rows(), round("each", 0, "b")], elsewhere)).toEqual(
      taken("each[b]", rest({ items: null, labels: ["b"], next: 1, again: [0] })),
    );
  });
});

describe("rounds in order", () => {
  it("the rounds before it are taken over where nothing reads what they left (I1, I3)", () => {
    expect(from("each[c]", IN_ORDER, rows(0, 1, 2))).toEqual(
      taken("each[c]", rest({ items: null, labels: ["a", "b"], next: 2 })),
    );
    expect(from("each[a]", IN_ORDER, rows(0, 1))).toEqual(taken("each[a]", rest({ items: null, labels: [], next: 0 })));
    const kept = { rests: { each: rest({ next: 1, states: { look: result(BAD) } }) } };
    expect(from("each[c]", IN_ORDER, rows(0, 1, 2), kept)).toEqual(taken("each[c]", rest({ next: 2 })));
  });

  it("the round that was cut off begins with all that was kept", () => {
    const kept = rest({ next: 1, states: { look: result(OK, "seen") } });
    expect(from("each[b]", IN_ORDER, rows(0, 1), { rests: { each: kept } })).toEqual(taken("each[b]", kept));
  });

  it("where something reads what they left, it is refused, but for the first one (I3)", () => {
    const reader = command("look", { run: { command: "echo {{.states.look.Output}}" } });
    const read = { workflow: workflow([BUILD, IN_ORDER, reader]) };
    expect(whyNot("each[b]", IN_ORDER, rows(0, 1), read)).toBe(
      'it cannot begin with "each[b]": what the rounds of "each" before it had left was not kept, and it may be read; begin with "each"',
    );
    expect(from("each[a]", IN_ORDER, rows(0, 1), read)).toMatchObject({ ok: true });
    const any = command("look", { run: { command: "{{.states}}" } });
    expect(whyNot("each[b]", IN_ORDER, rows(0, 1), { workflow: workflow([BUILD, IN_ORDER, any]) })).toContain(
      "may be read",
    );
    const other = command("look", { run: { command: "echo {{.states.build.Output}}" } });
    expect(from("each[b]", IN_ORDER, rows(0, 1), { workflow: workflow([BUILD, IN_ORDER, other]) })).toMatchObject({
      ok: true,
    });
  });

  it("a while loop has no items; what an earlier run had begun has its names", () => {
    const loop = whileNode("each", "true", ["look"]);
    const of = [...rows(), round("each", 0, ""), round("each", 1, "")];
    expect(from("each[2]", loop, of)).toEqual(taken("each[2]", rest({ items: null, next: 1 })));
    const before = {
      ...{ run: "r0", from: "each", steps: ["build"], states: OUTPUT },
      earlier: { rest: rest({ items: [["x", 1], "b", "c"], next: 2 }), rounds: [] },
    };
    expect(from("each[c]", IN_ORDER, [...rows(), round("each", 2)], { taken: before })).toEqual(
      taken("each[c]", rest({ items: null, labels: ["x, 1", "b"], next: 2 })),
    );
  });
});

describe("the trail of a run", () => {
  it("has the rounds of a loop's last attempt, by their index, and nothing of other runs", () => {
    const of = [...rows(0), { ...round("each", 1), run: "r2" }, begun("each/x", "x"), round("each@2", 0, "again")];
    const [, each] = trailOf(log([...of, { type: "notice", run: "r1", payload: { message: "m" } } as Row]), "r1");
    expect(each).toEqual({
      ...{ path: "each", name: "each", names: new Set(["each", "look", "x"]), status: "completed" },
      rounds: new Map([
        [
          0,
          {
            ...{ index: 0, item: "again" },
            address: { names: ["each@2[again]", "look"], numbers: ["each@2[1]", "look"] },
          },
        ],
      ]),
    });
  });
});

describe("what can be read off a run", () => {
  const birth = { ...runBirth(workflow([BUILD])), parent: null, at: 0, self: "run/r1" } as never;
  const context = { birth, message: null, outputs: {} };
  it("one that stands in its midst was cut off", () => {
    expect(readRun({ ...context, position: NOWHERE })).toEqual({
      ...{ workflow: workflow([BUILD]), inputs: {}, outcome: STOPPED, states: {}, rests: {} },
    });
  });
  it("one that has ended has its outcome, its results, and what it had been given", () => {
    const given = { run: "r0", from: null, steps: [], states: {} };
    const position = {
      ...NOWHERE,
      ...{ states: OUTPUT, rests: { each: rest({}) } },
      where: { at: "end", last: "build", outcome: OK, message: null } as const,
    };
    const more = { ...(birth as object), taken: given, budget: { cost: 1 } } as never;
    expect(readRun({ ...context, birth: more, position })).toEqual({
      ...{ workflow: workflow([BUILD]), inputs: {}, outcome: OK, states: OUTPUT, rests: { each: rest({}) } },
      ...{ taken: given, budget: { cost: 1 } },
    });
  });
});
