/**
 * Tool gates: what an agent wants to do, put to the person who may allow it.
 *
 * I1. A person decides by structured fields, whole: the tool's name, its kind, its input and the places it touches. The
 *     agent's own words stand apart and are marked as such.
 * I2. Only an answer of a kind that allows lets the tool through; everything else is a no, silence too.
 * I3. Where a no is not to be passed over (`on_deny`), the agent is stopped, and every later question is a no.
 */
import type { PermissionQuestion, PermissionSettled } from "../../../machines/contracts.ts";
import type { PermissionOption } from "../../../machines/exchange.ts";
import type { AgentRequest, ToolQuestion } from "../../agents/agent.ts";
import { type PermissionRules, REMEMBER_MS } from "../../config/permissions.ts";
import type { WorkContext } from "../../host/host.ts";
import { digestOf } from "./digest.ts";
import { type Asker, policyOf } from "./policy.ts";
import type { StepRules } from "./step-rules.ts";

const OPTIONS: readonly PermissionOption[] = [
  { id: "allow_once", name: "Allow", kind: "allow_once" },
  { id: "allow_always", name: "Always allow this very call", kind: "allow_always" },
  { id: "reject_once", name: "Refuse", kind: "reject_once" },
  { id: "reject_always", name: "Always refuse this very call", kind: "reject_always" },
];
/** The host cannot keep the question: it will have no answer. */
const NO_ANSWER: PermissionSettled = { outcome: "cancelled" };

/** `keeper`: under which name answers for good are kept; a new name of the agent does not change it. */
export type GateOptions = Asker & { keeper: string; user: PermissionRules | null; step: StepRules };

export class ToolGate {
  readonly #context: Pick<WorkContext, "ask" | "signal">;
  readonly #options: GateOptions;
  /** Why the agent was stopped, once it was (I3). */
  denial: string | null = null;
  constructor(context: Pick<WorkContext, "ask" | "signal">, options: GateOptions) {
    this.#context = context;
    this.#options = options;
  }

  get onDeny(): StepRules["onDeny"] {
    return this.#options.step.onDeny;
  }

  /** The `ask` of an agent's request. */
  readonly ask: AgentRequest["ask"] = async (tool, signal) => {
    if (this.denial !== null) return { allowed: false, message: toAgent(this.denial), abort: true };
    const settled = await this.#context.ask(this.#question(tool), signal).catch(() => NO_ANSWER);
    if (isAllowed(settled)) return { allowed: true };
    const why = refusal(tool, settled);
    const isWanted = signal?.aborted !== true && !this.#context.signal.aborted;
    const abort = this.#options.step.onDeny !== "skip" && isWanted;
    if (abort) this.denial ??= why;
    return { allowed: false, message: settled.outcome === "cancelled" ? why : toAgent(why), abort };
  };

  /** The `rules` of an agent's request. */
  readonly rules: AgentRequest["rules"] = (tool) => {
    const { user, step } = this.#options;
    return this.denial === null ? policyOf(tool, user, step, this.#options) : "deny";
  };

  #question(tool: ToolQuestion): PermissionQuestion {
    const { name, kind, title, input, edits, locations } = tool;
    const { user, step, keeper } = this.#options;
    // An agent that tells no name is asked about by the kind alone.
    const named = name === kind ? name : `${name} (${kind})`;
    return {
      title: `May the agent use ${named}?`,
      kind,
      message: title === undefined || title === name ? "" : `The agent calls it: ${title}`,
      options: [...OPTIONS],
      input,
      ...(edits === undefined || edits.length === 0 ? {} : { edits: [...edits] }),
      ...(locations === undefined ? {} : { locations }),
      timeoutMs: step.timeoutMs,
      gate: {
        tool: name,
        policy: this.rules(tool),
        digest: digestOf(keeper, tool),
        agent: keeper,
        rememberMs: user?.rememberMs ?? REMEMBER_MS,
      },
    };
  }
}

function isAllowed(settled: PermissionSettled): boolean {
  if (settled.outcome === "cancelled") return false;
  const kind = OPTIONS.find(({ id }) => id === settled.option)?.kind;
  return kind === "allow_once" || kind === "allow_always";
}

/** What the agent hears; people read the reason alone. */
const toAgent = (why: string): string => `${why} Do not try to reach the same in another way.`;

function refusal({ name }: ToolQuestion, settled: PermissionSettled): string {
  if (settled.outcome === "cancelled")
    return `The question whether ${name} may be used here had no answer, so it may not.`;
  const who = settled.by === "policy" ? "The permissions of this run do" : "The user did";
  return `${who} not allow this use of ${name}.`;
}
