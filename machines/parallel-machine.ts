/**
 * A `parallel` state: its branches, at most `max_concurrent` at once, judged by its strategy.
 *
 * I1. It settles after all of its branches have settled, cancelled ones included.
 * I2. A verdict once given is not changed by a late result; an outside cancel changes it. A branch that cancels itself
 *     (a denied approval that aborts the run) cancels the whole, whatever the strategy.
 *     One that was not approved is no failure; where all have to succeed, the whole is skipped then.
 * I3. A branch runs one state; that state's own transitions are not followed.
 * I4. A branch begins after the branches that it depends on have ended (`parallel/order.ts`), and sees their results. It is
 *     passed over where one of them has not completed; that is neither a success nor a failure.
 */
import { assign, type DoneActorEvent, type ErrorActorEvent, enqueueActions, sendTo, setup } from "xstate";
import { everyChild, slot } from "./address.ts";
import type { Control, ParallelInput, StepInput } from "./contracts.ts";
import { HANDED_ON } from "./control.ts";
import { type Born, CANCELLED, COMPLETED, type Outcome, own, type Settled, type StateResults } from "./model.ts";
import { type Begun, NOT_BEGUN, nextBranches, type Order, withEnded } from "./parallel/order.ts";
import { pick } from "./scope.ts";
import { stepInput } from "./step/child-input.ts";
import { FAILURE_EXIT } from "./workflow/document.ts";
import { RUN_SKIPPED } from "./workflow/route.ts";

export type ParallelEvent = Control | DoneActorEvent<Settled> | ErrorActorEvent;
type Context = {
  birth: Born & ParallelInput;
  /** Which branches have begun and which wait for others. */
  order: Order;
  /** How many branches run now, and ended well or badly. */
  active: number;
  succeeded: number;
  failed: number;
  /** The branches that were not approved, or that ended as skipped for such a step. */
  skipped: string[];
  verdict: Outcome | null;
  states: StateResults;
};

const CRASHED: Settled = { outcome: { status: "failed", exitCode: 1 }, left: null, states: {} };

export const parallelMachine = setup({
  types: {} as { context: Context; input: Born & ParallelInput; events: ParallelEvent; output: Settled },
  actors: { step: slot<StepInput, Settled>() },
  guards: {
    "is decided?": ({ context }) => verdictOf(context) !== null,
    "is quiet?": ({ context }) => context.active === 0,
  },
  actions: {
    fill: enqueueActions(({ context, enqueue }) => {
      if (verdictOf(context) !== null) return;
      const { birth, active } = context;
      const limit = birth.node.maxConcurrent > 0 ? birth.node.maxConcurrent : birth.node.branches.length;
      const { order, begin } = nextBranches(birth, context.order, Math.max(0, limit - active), active);
      for (const each of begin) enqueue.spawnChild("step", { id: each.name, input: branch(context, each) });
      enqueue.assign({ order, active: active + begin.length });
    }),
    "count the branch": assign(({ context }, p: { settled: Settled; name: string }) => ({
      active: context.active - 1,
      order: withEnded(context.birth, context.order, p.name, hasCompleted(p.name, p.settled)),
      succeeded: context.succeeded + (hasCompleted(p.name, p.settled) ? 1 : 0),
      failed: context.failed + (isGood(context, p.name, p.settled) ? 0 : 1),
      skipped: p.settled.outcome.status === "skipped" ? [...context.skipped, p.name] : context.skipped,
      verdict: context.verdict ?? (p.settled.outcome.status === "cancelled" ? p.settled.outcome : null),
      states: { ...context.states, ...pick(p.settled.states, context.birth.keep) },
    })),
    decide: assign({ verdict: ({ context }) => verdictOf(context) }),
    "note the cancel": assign({ verdict: CANCELLED }),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
    "tell what runs": sendTo(everyChild, ({ event }) => event),
  },
}).createMachine({
  id: "parallel",
  version: "3",
  context: ({ input }) => ({
    birth: input,
    order: NOT_BEGUN,
    active: 0,
    succeeded: 0,
    failed: 0,
    skipped: [],
    verdict: null,
    states: {},
  }),
  initial: "filling",
  states: {
    filling: {
      description: "Branches run, and others begin as there is room.",
      tags: "works",
      entry: "fill",
      always: { guard: "is decided?", target: "stopping", actions: "decide" },
      on: {
        "xstate.done.actor.*": {
          target: "filling",
          reenter: true,
          actions: {
            type: "count the branch",
            params: ({ event }) => ({ settled: event.output, name: event.actorId }),
          },
        },
        "xstate.error.actor.*": {
          target: "filling",
          reenter: true,
          actions: { type: "count the branch", params: ({ event }) => ({ settled: CRASHED, name: event.actorId }) },
        },
        "cancel.requested": { description: "All branches are to end.", target: "cancelling" },
        ...HANDED_ON,
      },
    },
    stopping: {
      description: "The verdict is known: what still runs is being ended.",
      tags: "stops",
      entry: "cancel what runs",
      always: { guard: "is quiet?", target: "ended" },
      on: {
        "xstate.done.actor.*": {
          actions: {
            type: "count the branch",
            params: ({ event }) => ({ settled: event.output, name: event.actorId }),
          },
        },
        "xstate.error.actor.*": {
          actions: { type: "count the branch", params: ({ event }) => ({ settled: CRASHED, name: event.actorId }) },
        },
        "cancel.requested": "cancelling",
        ...HANDED_ON,
      },
    },
    cancelling: {
      description: "It was cancelled: what still runs is being ended.",
      tags: "stops",
      entry: ["note the cancel", "cancel what runs"],
      always: { guard: "is quiet?", target: "ended" },
      on: {
        "xstate.done.actor.*": {
          actions: {
            type: "count the branch",
            params: ({ event }) => ({ settled: event.output, name: event.actorId }),
          },
        },
        "xstate.error.actor.*": {
          actions: { type: "count the branch", params: ({ event }) => ({ settled: CRASHED, name: event.actorId }) },
        },
      },
    },
    ended: { description: "Its owner hears the verdict and which results it leaves.", type: "final" },
  },
  output: ({ context }) => ({ outcome: context.verdict ?? COMPLETED, left: null, states: context.states }),
});

/**
 * Null while the strategy still waits for branches. A failure that its branch lets pass fails nothing, and is no success
 * either: for `any_succeed` AWF counts exit code 0 only.
 */
function verdictOf({ birth, order, active, succeeded, failed, skipped, verdict }: Context): Outcome | null {
  if (verdict !== null) return verdict;
  const { branches, strategy, name } = birth.node;
  const over = order.begun >= branches.length && order.held.length === 0 && active === 0;
  const bad: Outcome = {
    status: "failed",
    exitCode: 1,
    error: {
      code: "EXECUTION.PARALLEL.PARTIAL_FAILURE",
      message: `${strategy === "any_succeed" ? branches.length - succeeded : failed} of ${branches.length} branches of "${name}" failed`,
    },
  };
  const [first] = skipped;
  switch (strategy) {
    case "all_succeed":
      return failed > 0 ? bad : !over ? null : first === undefined ? COMPLETED : notApproved(name, first);
    case "any_succeed":
      return succeeded > 0 ? COMPLETED : over ? bad : null;
    case "best_effort":
      return over ? COMPLETED : null;
    default:
      return strategy satisfies never;
  }
}

const notApproved = (name: string, branch: string): Outcome => ({
  status: "skipped",
  exitCode: FAILURE_EXIT,
  error: { code: RUN_SKIPPED, message: `branch "${branch}" of "${name}" was not approved, and no on_skip leads on` },
});

const isGood = ({ birth }: Context, name: string, { outcome }: Settled): boolean => {
  const node = own(birth.nodes, name);
  return (
    outcome.status === "completed" ||
    outcome.status === "skipped" ||
    (outcome.status === "failed" && node !== undefined && node.type !== "terminal" && node.continueOnError)
  );
};

const hasCompleted = (name: string, { outcome, states }: Settled): boolean =>
  outcome.status === "completed" && own(states, name)?.Status !== "skipped";

function branch({ birth, states }: Context, { name, passedOver }: Begun): StepInput {
  const { origin, nodes, scope, keep } = birth;
  const input = stepInput({
    origin: { ...origin, step: `${origin.step}/${name}`, parallel: true },
    name,
    nodes,
    scope: { ...scope, states: { ...scope.states, ...states } },
    keep,
  });
  return passedOver ? { ...input, passedOver } : input;
}
