/** What a step asks, says and notes of the budgets that hold for it. Its states: `weighing.ts`. */
import { enqueueActions, spawnChild } from "xstate";
import type { LimitName, Limits } from "../budget/budget.ts";
import { amountWords, givenWords, heldId, ofStep, ownerWords } from "../budget/budget.ts";
import type { Standing, Weighed, WeighInput } from "../budget/weighed.ts";
import type { PermissionInput, StepInput } from "../contracts.ts";
import type { BudgetNote, Row } from "../exchange.ts";
import type { Born } from "../model.ts";
import { sentence } from "../sentence.ts";
import { exitFault } from "./attempts.ts";
import { fallsBack, nextStandIn, standInWords } from "./stand-in.ts";
import { stepSetup } from "./vocabulary.ts";

type Placed = { birth: Born & StepInput };
type Reached = Placed & { standIn?: number; reached?: Standing };

export const isBudgeted = ({ birth }: Placed): boolean => birth.node.type === "agent" && ofStep(birth).length > 0;

const weighInput = ({ birth }: Placed): WeighInput => ({
  origin: birth.origin,
  name: birth.node.name,
  budgets: ofStep(birth),
});

/** What the options of the question are called. */
const MORE = "more";
const NEXT = "next";

/** A sum of cents that binary numbers cannot say (0.6 + 0.3) is offered as people write it. */
const DIGITS = 12;
/** How far a limit goes that a person, or the file, lets be passed: by as much again. */
const further = ({ held, limit, most, spent }: Standing): number =>
  limit === "unpriced" ? 0 : Number((Math.max(most, spent) + (held.limits[limit] ?? 0)).toPrecision(DIGITS));

/** What has come to pass, in words. */
export function reachedWords({ held, limit, most, spent, models = [] }: Standing): string {
  if (limit === "unpriced")
    return `${ownerWords(held)} has a limit of cost, and there is no price for ${models.join(", ")}: what was used of it is not counted as free`;
  return `${ownerWords(held)} is spent: ${amountWords(limit, spent)} of ${amountWords(limit, most)}`;
}
/** The limit that lets a step go on that has stopped. */
const goesOnBy = (standing: Standing): { limit: LimitName; to: number } =>
  standing.limit === "unpriced"
    ? { limit: "costUsd", to: standing.most }
    : { limit: standing.limit, to: further(standing) };
/** How the run goes on after a stop. */
export function remedyWords(run: string, standing: Standing): string {
  const { limit, to } = goesOnBy(standing);
  const command = `troupe resume ${run} --budget ${givenWords(limit, to)}`;
  return standing.limit === "unpriced"
    ? `give a price under "prices" in the configuration, or go on without counting it: ${command}`
    : `to go on, give a higher limit: ${command}`;
}

function question({ birth: { origin, node }, standIn, reached }: Reached): PermissionInput {
  if (reached === undefined) throw new Error(`step "${node.name}" has reached no limit`);
  const { limit } = reached;
  const next = nextStandIn({ birth: { node }, ...(standIn === undefined ? {} : { standIn }) });
  const more =
    limit === "unpriced" ? "Go on without counting it" : `Go on, up to ${amountWords(limit, further(reached))}`;
  return {
    run: origin.run,
    step: origin.step,
    title: `Go on with step "${node.name}" over its budget?`,
    kind: "other",
    message: `${sentence(reachedWords(reached))}. The agent's next turn has not begun.`,
    options: [
      { id: MORE, name: more, kind: "allow_once" },
      ...(next === null ? [] : [{ id: NEXT, name: `Go on with ${standInWords(next)}`, kind: "allow_once" } as const]),
      { id: "stop", name: "Stop here; it can be resumed", kind: "reject_once" },
    ],
    input: {
      budget: ownerWords(reached.held),
      spent: limit === "unpriced" ? (reached.models ?? []) : amountWords(limit, reached.spent),
    },
    timeoutMs: null,
  };
}

const noted = ({ origin }: StepInput, payload: BudgetNote): Row => ({
  type: "budget.noted",
  run: origin.run,
  step: origin.step,
  payload,
});

const raisedRow = (birth: StepInput, { held, limit }: Standing, to: number): Row =>
  noted(birth, { is: "raised", budget: heldId(held), limit, to });

/** Said where the step stops at a limit. */
function stopRows({ birth, reached }: Reached): Row[] {
  if (reached === undefined) return [];
  const { run, step } = birth.origin;
  const code = reached.limit === "unpriced" ? "EXECUTION.BUDGET.UNPRICED" : "EXECUTION.BUDGET.REACHED";
  const message = `step "${birth.node.name}" stops: ${reachedWords(reached)}; ${remedyWords(run, reached)}`;
  return [
    { type: "notice", run, step, payload: { severity: "error", code, message } },
    noted(birth, { is: "stopped", ...goesOnBy(reached) }),
  ];
}

/** One row for each change of agent or model. */
export function standInRow(context: Placed & { standIn?: number }, reason: { code: string; message: string }): Row {
  const { node, origin } = context.birth;
  const next = nextStandIn(context);
  const words = next === null ? "" : standInWords(next);
  const message = `step "${node.name}" goes on with ${words}: ${reason.message}`;
  return {
    type: "notice",
    run: origin.run,
    step: origin.step,
    payload: { severity: "warning", code: reason.code, message },
  };
}

/** The limit that holds from now on, where the one who resumes the run gives one. */
const given = ({ limit, most }: Standing, limits: Limits | undefined): number | undefined => {
  if (limits === undefined) return undefined;
  return limit === "unpriced" ? (limits.costUsd === undefined ? undefined : most) : limits[limit];
};

export const budgetSetup = stepSetup.extend({
  guards: {
    "falls back?": ({ context }) => fallsBack(context),
    "is under a budget?": ({ context }) => isBudgeted(context),
    "is within its budget?": (_, p: { output: unknown }) => (p.output as Weighed).reached === null,
    "goes on with its next model?": ({ context }, p: { output: unknown }) => {
      const { reached } = p.output as Weighed;
      return (
        reached?.held.onBudget === "fallback_model" && reached.limit !== "unpriced" && nextStandIn(context) !== null
      );
    },
    "stops at its budget?": (_, p: { output: unknown }) => (p.output as Weighed).reached?.held.onBudget === "stop",
  },
  actions: {
    "change over": enqueueActions(({ context, enqueue }) => {
      const { outcome } = context.judgement;
      enqueue.emit(standInRow(context, outcome.error ?? exitFault(outcome.exitCode)));
      enqueue.assign({ standIn: (context.standIn ?? 0) + 1, ...withoutConversation(context) });
    }),
    "weigh its budget": spawnChild("weigh", { id: "weigh", input: ({ context }) => weighInput(context) }),
    "note the limit": enqueueActions(({ enqueue }, p: { output: unknown }) => {
      const { reached } = p.output as Weighed;
      if (reached !== null) enqueue.assign({ reached });
    }),
    "ask to go on": enqueueActions(({ context, enqueue }) => {
      enqueue.spawnChild("permission", { id: "permission", input: question(context) });
    }),
    "record the stop": enqueueActions(({ context, enqueue }) => {
      for (const row of stopRows(context)) enqueue.emit(row);
    }),
    "raise the limit": enqueueActions(({ context: { birth, reached }, enqueue }) => {
      if (reached !== undefined) enqueue.emit(raisedRow(birth, reached, further(reached)));
    }),
    "take the limits given": enqueueActions(
      ({ context: { birth, reached }, enqueue }, p: { limits: Limits | undefined }) => {
        const to = reached === undefined ? undefined : given(reached, p.limits);
        if (reached !== undefined && to !== undefined) enqueue.emit(raisedRow(birth, reached, to));
      },
    ),
    "change over at its budget": enqueueActions(({ context, enqueue }) => {
      const { reached, standIn = 0, birth } = context;
      if (reached === undefined) return;
      const reason = { code: "EXECUTION.BUDGET.REACHED", message: reachedWords(reached) };
      enqueue.emit(standInRow(context, reason));
      enqueue.emit(raisedRow(birth, reached, further(reached)));
      enqueue.assign({ standIn: standIn + 1, ...withoutConversation(context) });
    }),
  },
});

/** Another provider knows nothing of the conversation; another model of the same one goes on with it. */
export const withoutConversation = (context: Placed & { standIn?: number }): { conversation?: null } =>
  nextStandIn(context)?.provider === undefined ? {} : { conversation: null };
