/**
 * A `parallel` state: its branches, at most `max_concurrent` at once, judged by its strategy.
 *
 * I1. It settles after all of its branches have settled, cancelled ones included.
 * I2. A verdict once given is not changed by a late result; an outside cancel changes it. A branch that cancels itself
 *     (a denied approval that aborts the run) cancels the whole, whatever the strategy.
 *     One that was not approved is no failure; where all have to succeed, the whole is skipped then.
 * I3. A branch runs one state; that state's own transitions are not followed.
 * I4. A branch begins after the branches that it depends on have ended (`parallel/order.ts`), and sees their results.
 *     It is passed over where one of them has not completed; that is neither a success nor a failure.
 * I5. Where a crash comes while the rest is being ended, what follows waits until the run is resumed.
 */
import { assign, type DoneActorEvent, type ErrorActorEvent, enqueueActions, sendTo, setup } from "xstate";
import { at, everyChild, slot } from "./address.ts";
import type { Control, ParallelInput, StepInput } from "./contracts.ts";
import { DIED, HANDED_ON, HANDED_ON_AT_LAST, RESUMED } from "./control.ts";
import type { Row } from "./exchange.ts";
import { added, allOf, pickOf, type Results } from "./kept-results.ts";
import { type Born, CANCELLED, COMPLETED, type Outcome, own, type Settled } from "./model.ts";
import { type Begun, NOT_BEGUN, nextBranches, type Order, withEnded } from "./parallel/order.ts";
import { overlapRows, withBranchOverlaps } from "./parallel/overlapping.ts";
import { pick } from "./scope.ts";
import { stepInput } from "./step/child-input.ts";
import { judgeBy } from "./strategy.ts";
import { FAILURE_EXIT } from "./workflow/document.ts";
import { RUN_SKIPPED } from "./workflow/route.ts";
import { type Changed, withChanged } from "./worktree/overlaps.ts";

/** A portion of branches has begun; there is room for more. */
type PortionBegun = { type: "portion.begun" };
export type ParallelEvent = PortionBegun | Control | DoneActorEvent<Settled> | ErrorActorEvent;
/** Open while its strategy still waits for branches. */
type Verdict = { is: "open" } | { is: "given"; outcome: Outcome };
type Context = Results & {
  birth: Born & ParallelInput;
  /** Which branches have begun and which wait for others. */
  order: Order;
  /** How many branches run now, and ended well or badly. */
  active: number;
  succeeded: number;
  failed: number;
  /** The branches that were not approved, or that ended as skipped for such a step. */
  skipped: string[];
  verdict: Verdict;
  /** What branches have changed in trees of their own. */
  changed?: Changed;
};

/** So many branches begin by one event: XState copies all children of an event with each one that it starts. */
export const MOST_AT_ONCE = 64;
const OPEN: Verdict = { is: "open" };
const given = (outcome: Outcome): Verdict => ({ is: "given", outcome });
const CRASHED: Settled = { outcome: { status: "failed", exitCode: 1 }, left: null, states: {} };

const parallelSetup = setup({
  types: {} as { context: Context; input: Born & ParallelInput; events: ParallelEvent; emitted: Row; output: Settled },
  actors: { step: slot<StepInput, Settled>() },
  guards: {
    "is decided?": ({ context }) => verdictOf(context).is === "given",
    "is quiet?": ({ context }) => context.active === 0,
  },
  actions: {
    fill: enqueueActions(({ context, enqueue }) => {
      if (verdictOf(context).is === "given") return;
      const { birth, active } = context;
      const limit = birth.node.maxConcurrent > 0 ? birth.node.maxConcurrent : birth.node.branches.length;
      const room = Math.min(Math.max(0, limit - active), MOST_AT_ONCE);
      const { order, begin } = nextBranches(birth, context.order, room, active);
      for (const each of begin) enqueue.spawnChild("step", { id: each.name, input: branch(context, each) });
      enqueue.assign({ order, active: active + begin.length });
      if (begin.length === MOST_AT_ONCE) enqueue.sendTo(at<PortionBegun>(birth.self), { type: "portion.begun" });
    }),
    "count the branch": assign(({ context }, p: { settled: Settled; name: string }) => ({
      active: context.active - 1,
      order: withEnded(context.birth, context.order, p.name, hasCompleted(p.name, p.settled)),
      succeeded: context.succeeded + (hasCompleted(p.name, p.settled) ? 1 : 0),
      failed: context.failed + (isGood(context, p.name, p.settled) ? 0 : 1),
      skipped: p.settled.outcome.status === "skipped" ? [...context.skipped, p.name] : context.skipped,
      verdict: afterBranch(context.verdict, p.settled.outcome),
      ...added(context, pick(p.settled.states, context.birth.keep)),
      ...withChanged(context.changed, p.name, p.settled.states),
    })),
    "tell of overlaps": enqueueActions(({ context, enqueue }) => {
      for (const row of overlapRows(context)) enqueue.emit(row);
    }),
    decide: assign({ verdict: ({ context }) => verdictOf(context) }),
    "note the cancel": assign({ verdict: given(CANCELLED) }),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
    "forward to what runs": sendTo(everyChild, ({ event }) => event),
  },
});

const SETTLES = parallelSetup.createStateConfig({
  on: {
    "xstate.done.actor.*": {
      actions: { type: "count the branch", params: ({ event }) => ({ settled: event.output, name: event.actorId }) },
    },
    "xstate.error.actor.*": {
      actions: { type: "count the branch", params: ({ event }) => ({ settled: CRASHED, name: event.actorId }) },
    },
  },
}).on;

export const parallelMachine = parallelSetup.createMachine({
  id: "parallel",
  version: "4",
  context: ({ input }) => ({
    birth: input,
    order: NOT_BEGUN,
    active: 0,
    succeeded: 0,
    failed: 0,
    skipped: [],
    verdict: OPEN,
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
        "portion.begun": { description: "There is room for more branches.", target: "filling", reenter: true },
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
        ...SETTLES,
        "cancel.requested": "cancelling",
        ...HANDED_ON,
        "owner.lost": DIED,
      },
    },
    halted: {
      description: "A crash came while branches were being ended: they end, and the whole waits.",
      tags: "cut off",
      on: {
        ...SETTLES,
        "cancel.requested": "cancelling",
        ...HANDED_ON,
        "resume.requested": RESUMED,
      },
    },
    cancelling: {
      description: "It was cancelled: what still runs is being ended.",
      tags: "stops",
      entry: ["note the cancel", "cancel what runs"],
      always: { guard: "is quiet?", target: "ended" },
      on: {
        ...SETTLES,
        ...HANDED_ON_AT_LAST,
      },
    },
    ended: {
      description: "Its owner hears the verdict and which results it leaves.",
      type: "final",
      entry: "tell of overlaps",
    },
  },
  output: ({ context }) => ({
    outcome: endOf(context),
    left: null,
    states: withBranchOverlaps(allOf(context), context),
  }),
});

/** A branch that was cancelled from inside decides, where nothing has decided before (I2). */
const afterBranch = (verdict: Verdict, outcome: Outcome): Verdict =>
  verdict.is === "open" && outcome.status === "cancelled" ? given(outcome) : verdict;

/** What the whole comes to. One that ends with its verdict open was cut off. */
const endOf = ({ verdict }: Context): Outcome => (verdict.is === "given" ? verdict.outcome : CANCELLED);

/**
 * What the strategy says of the branches that have ended. A failure that its branch lets pass fails nothing, and is no
 * success either: for `any_succeed` AWF counts exit code 0 only.
 */
function verdictOf({ birth, order, active, succeeded, failed, skipped, verdict }: Context): Verdict {
  if (verdict.is === "given") return verdict;
  const { branches, strategy, name } = birth.node;
  const isOver = order.begun >= branches.length && order.held.length === 0 && active === 0;
  const judged = judgeBy(strategy, { succeeded, failed, isSkipped: skipped.length > 0, isOver });
  switch (judged) {
    case "waits":
      return OPEN;
    case "completed":
      return given(COMPLETED);
    case "failed": {
      const many = strategy === "any_succeed" ? branches.length - succeeded : failed;
      const message = `${many} of ${branches.length} branches of "${name}" failed`;
      return given({ status: "failed", exitCode: 1, error: { code: "EXECUTION.PARALLEL.PARTIAL_FAILURE", message } });
    }
    case "skipped":
      return given(notApproved(name, skipped[0] ?? ""));
    default:
      return judged satisfies never;
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

function branch(context: Context, { name, passedOver }: Begun): StepInput {
  const { origin, nodes, scope, keep } = context.birth;
  const input = stepInput({
    origin: { ...origin, step: `${origin.step}/${name}`, parallel: true },
    name,
    nodes,
    scope: (reads) => ({ ...scope, states: { ...scope.states, ...pickOf(context, reads) } }),
    keep,
  });
  return passedOver ? { ...input, passedOver } : input;
}
