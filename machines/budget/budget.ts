/**
 * Budgets as data: how much may be spent, by whose word, and over what it is counted.
 *
 * I1. A limit of the user's and one of a file stand side by side: each is asked by itself, so that the lowest holds.
 */
import type { Born } from "../model.ts";

/** Time in milliseconds. */
export type Limits = { costUsd?: number; tokens?: number; agentTurns?: number; timeMs?: number };
export type LimitName = keyof Limits;
export const LIMIT_NAMES = ["costUsd", "tokens", "agentTurns", "timeMs"] as const satisfies readonly LimitName[];
/** What is done at a limit: a person is asked, the run stops and can be resumed, or the step's next model goes on. */
export const ON_BUDGET = ["ask", "stop", "fallback_model"] as const;
export type OnBudget = (typeof ON_BUDGET)[number];
/** `warnAt`: the share of a limit from which on its user is warned. */
export type Allowance = { limits: Limits; warnAt?: number; onBudget?: OnBudget };
export const DEFAULT_WARN_AT = 0.8;

/** A budget and what it is counted over: a run with all that it calls, or one step of it with all below. */
export type Held = Allowance & { of: "user" | "workflow" | "step"; name: string; run: string; step: string | null };
/** Names a budget in the log. */
export const heldId = ({ of, run, step }: Held): string => `${of} ${run} ${step ?? ""}`.trim();

/** The lowest of each limit; what is done at one is the first's word. */
export function lowest(one: Allowance | undefined, other: Allowance | undefined): Allowance | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const limits = Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const both = [one.limits[name], other.limits[name]].filter((limit) => limit !== undefined);
      return both.length === 0 ? [] : [[name, Math.min(...both)]];
    }),
  );
  return { ...other, ...one, limits };
}

type Above = { budgets?: Held[] };
/** The budgets of a run: those above it, its user's where no other run called it, and its workflow's. */
export function ofRun(
  birth: Pick<Born, "self"> & { parentRun: string | null; budget?: Allowance; budgets?: Held[] },
  { name, budget }: { name: string; budget?: Allowance },
): Above {
  const run = birth.self.slice(birth.self.indexOf("/") + 1);
  const held: Held[] = [
    ...(birth.budgets ?? []),
    ...(birth.budget === undefined ? [] : [{ ...birth.budget, of: "user" as const, name, run, step: null }]),
    ...(budget === undefined ? [] : [{ ...budget, of: "workflow" as const, name, run, step: null }]),
  ];
  return held.length === 0 ? {} : { budgets: held };
}

type Place = { origin: { run: string; step: string }; node: { name: string; budget?: Allowance }; scope: Above };
/** The budgets that hold for a step and all below it. */
export function ofStep({ origin: { run, step }, node: { name, budget }, scope: { budgets = [] } }: Place): Held[] {
  return budget === undefined ? budgets : [...budgets, { ...budget, of: "step", name, run, step }];
}

/** A scope as steps below the step see it. */
export const budgetedIn = <B extends Place>(birth: B): B =>
  birth.node.budget === undefined ? birth : { ...birth, scope: { ...birth.scope, budgets: ofStep(birth) } };

/** A limit as the user writes it. */
export const LIMIT_WORDS: { readonly [name in LimitName]: string } = {
  costUsd: "cost_usd",
  tokens: "tokens",
  agentTurns: "agent_turns",
  timeMs: "time",
};
const USD_DIGITS = 4;
/** An amount in words: `$0.42`, `1200 tokens`, `3 agent turns`, `90s`. */
export function amountWords(name: LimitName, amount: number): string {
  switch (name) {
    case "costUsd":
      return `$${Number(amount.toFixed(USD_DIGITS))}`;
    case "tokens":
      return `${Math.round(amount)} tokens`;
    case "agentTurns":
      return `${amount} agent turn${amount === 1 ? "" : "s"}`;
    case "timeMs":
      return `${Number((amount / 1_000).toFixed(1))}s`;
    default:
      return name satisfies never;
  }
}
/** A limit as it would be given: `cost_usd=5`, `time=90s`. */
export const givenWords = (name: LimitName, amount: number): string =>
  `${LIMIT_WORDS[name]}=${name === "timeMs" ? `${Number((amount / 1_000).toFixed(1))}s` : amount}`;

/** Whose budget it is, in words. */
export function ownerWords({ of, name }: Pick<Held, "of" | "name">): string {
  switch (of) {
    case "user":
      return "your budget for this run";
    case "workflow":
      return `the budget of workflow "${name}"`;
    case "step":
      return `the budget of step "${name}"`;
    default:
      return of satisfies never;
  }
}
