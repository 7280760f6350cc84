/** Random workflows, and what a run of one enters, by the reducers that real runs use. */
import fc from "fast-check";
import * as loop from "../../../machines/loop/walk.ts";
import { CANCELLED, COMPLETED, type Outcome, type Settled } from "../../../machines/model.ts";
import * as run from "../../../machines/run/walk.ts";
import type { Nodes, StepNode, Workflow } from "../../../machines/workflow/document.ts";
import * as documents from "../../support/documents.ts";

const SIZE = 7;
const MOST = 150;
const name = (at: number): string => `s${at}`;

/** A state holds later ones only, so that none holds itself; it goes to any. */
const node = (at: number): fc.Arbitrary<StepNode> => {
  const any = fc.oneof(
    { weight: 4, arbitrary: fc.nat(SIZE - 1).map(name) },
    { weight: 1, arbitrary: fc.constantFrom("good", "bad") },
  );
  const way = fc.option(any, { nil: null });
  const ways = fc.record({
    onSuccess: way,
    onFailure: way,
    continueOnError: fc.boolean(),
    transitions: fc.array(fc.record({ when: fc.constantFrom("true", "false"), goto: any }), { maxLength: 2 }),
  });
  const later = Array.from({ length: SIZE - at - 1 }, (_, more) => name(at + 1 + more));
  const members =
    later.length === 0
      ? fc.constant<string[]>([])
      : fc.uniqueArray(fc.constantFrom(...later), { minLength: 1, maxLength: 3 });
  const kinds = [
    ways.map((more) => documents.command(name(at), more)),
    fc.tuple(ways, members).map(([more, branches]) => documents.parallel(name(at), branches, more)),
    fc
      .tuple(ways, members, way)
      .map(([more, body, onComplete]) => documents.whileNode(name(at), "true", body, { ...more, onComplete })),
  ] as const;
  return later.length === 0 ? kinds[0] : fc.oneof(...kinds);
};

export const workflows: fc.Arbitrary<Workflow> = fc
  .tuple(...Array.from({ length: SIZE }, (_, at) => node(at)))
  .map((nodes) =>
    documents.workflow([...nodes, documents.terminal("good"), documents.terminal("bad", { status: "failure" })]),
  );

/** What was entered from what, in order; a container that is over is where control stands then. */
export type Step = { from: string | null; to: string };
export type Chance = () => Outcome;

export function traceOf(of: Workflow, chance: Chance): Step[] {
  const steps: Step[] = [];
  let at: string | null = null;
  const enter = (to: string, from = at): boolean => {
    steps.push({ from, to });
    at = to;
    return steps.length < MOST;
  };
  const settled = (outcome: Outcome, left: string | null = null): Settled => ({ outcome, left, states: {} });

  /** Works a state that was entered. */
  const work = (each: StepNode, nodes: Nodes): Settled => {
    if (each.type === "command" || steps.length >= MOST) return settled(steps.length >= MOST ? CANCELLED : chance());
    if (each.type === "parallel") {
      for (const branch of each.branches) {
        if (!enter(branch, each.name)) return settled(CANCELLED);
        work(nodes[branch] as StepNode, nodes);
      }
      at = each.name;
      return settled(chance());
    }
    if (each.type !== "while") throw new Error(each.type);
    const input = {
      origin: documents.ORIGIN,
      node: each,
      nodes,
      scope: documents.SCOPE,
      keep: "all" as const,
      items: null,
      maxIterations: 2,
    };
    let move = loop.begin(input);
    for (let [start] = move.starts; start !== undefined; [start] = move.starts) {
      if (!enter(start.name)) return settled(CANCELLED);
      move = loop.settle(input, move.position, start.path, work(nodes[start.name] as StepNode, nodes));
    }
    const { stage } = move.position;
    return stage.is === "over" ? settled(stage.outcome, stage.left) : settled(COMPLETED);
  };

  const birth = { ...documents.runBirth(of), self: "run/r1" as const, parent: null, at: 0 };
  let move = run.begin(of);
  while (move.start !== null) {
    if (!enter(move.start.name)) break;
    move = run.settle(birth, move.position, work(of.states[move.start.name] as StepNode, of.states));
  }
  const last = run.lastOf(move.position);
  const { status } = run.outcomeOf(move.position);
  if (last !== null && of.states[last]?.type === "terminal" && status !== "cancelled") enter(last);
  return steps;
}
