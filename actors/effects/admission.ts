/**
 * Whether an agent step may ask its provider now, and what it learns of the provider's limits while it asks. The effect
 * `admit` is the wait for that.
 *
 * I1. A step that is kept out asks nothing: it fails as one that its provider refuses.
 * I2. A step is to wait only where its agent has said and done nothing, and no longer than `limits.provider_wait_ms`.
 * I3. Each wait is a row, and one more where the limit lasts longer than was known.
 */
import { createHash } from "node:crypto";
import type { StepInput } from "../../machines/contracts.ts";
import type { Json, Origin } from "../../machines/model.ts";
import type { AgentEvent, AgentRequest, AgentResult, Limited } from "../agents/agent.ts";
import { toldPause } from "../agents/told-pause.ts";
import { limitsOf } from "../base/limits.ts";
import type { WorkContext } from "../host/host.ts";
import { AGENT_CODES } from "./agent-end.ts";
import { type Ended, failed } from "./ended.ts";
import type { EffectOptions } from "./options.ts";
import type { AskedProvider, LimitStanding, RateLimits } from "./rate-limits.ts";
import { momentOf } from "./times.ts";

type Options = Pick<EffectOptions, "clock" | "limits" | "rateLimits">;

/** The wait of a step; it answers when the step may ask. */
export function admit({
  rateLimits,
  clock,
}: Options): (input: Pick<StepInput, "origin">, context: WorkContext) => Promise<null> {
  return async ({ origin }, context) => {
    const who = nameOf(origin);
    const say = (): void => {
      const standing = rateLimits?.standing(who) ?? null;
      if (standing !== null) recordWait(origin, context, standing, clock.now());
    };
    say();
    await rateLimits?.wait(who, context.signal, say);
    return null;
  };
}

/** One attempt of a step at its provider. */
export class Admission {
  readonly #rateLimits: RateLimits | undefined;
  readonly #origin: Origin;
  readonly #asked: AskedProvider;
  readonly #options: Options;
  /** What the agent was told last and does not wait for itself. */
  #told: Limited | null = null;

  constructor(origin: Origin, provider: string, given: { readonly [option: string]: Json }, options: Options) {
    this.#rateLimits = options.rateLimits;
    this.#origin = origin;
    this.#asked = { provider, account: accountOf(given), model: textOf(given["model"]) };
    this.#options = options;
  }

  /** The end of a step that is kept out (I1); null where it may ask. */
  keptOut(): Ended | null {
    const standing = this.#rateLimits?.enter(nameOf(this.#origin), this.#asked) ?? null;
    if (standing === null) return null;
    const message = `${standing.provider} lets nobody in until ${momentOf(standing.until, this.#options.clock.now())}`;
    const end = failed({ code: AGENT_CODES.rate_limit, message }, 1, { Stderr: message });
    return this.#isBearable() ? { ...end, limited: true } : end;
  }

  hear(event: AgentEvent): void {
    if (event.type === "text" || event.type === "thought" || event.type === "tool")
      this.#rateLimits?.answered(nameOf(this.#origin));
    if (event.type !== "limited") return;
    if (event.passing === true) this.#close(event);
    else this.#told = event;
  }

  /** For an agent that asks again itself. */
  mayAsk(context: WorkContext, outside: <T>(wait: Promise<T>) => Promise<T>): Pick<AgentRequest, "mayAsk"> {
    const limits = this.#rateLimits;
    const who = nameOf(this.#origin);
    if (limits === undefined) return {};
    return {
      mayAsk: (afterMs, signal) => {
        this.#close({ pause: { afterMs } });
        const standing = limits.standing(who);
        if (standing !== null && standing.before > 0)
          recordWait(this.#origin, context, standing, this.#options.clock.now());
        return outside(limits.wait(who, signal, () => undefined));
      },
    };
  }

  /** Whether a step that has failed is to wait and ask again (I2). */
  isToWait(result: AgentResult, shown: boolean): boolean {
    if (result.status === "completed" || result.class !== "rate_limit") return false;
    const told = this.#told ?? limitedBy(result.message, this.#options.clock.now());
    if (told === null) return false;
    this.#close(told);
    return !shown && this.#isBearable();
  }

  #close({ pause, account }: Limited): void {
    const afterMs = "afterMs" in pause ? pause.afterMs : pause.until - this.#options.clock.now();
    const isAll = account === true;
    if (afterMs > 0) this.#rateLimits?.refused(nameOf(this.#origin), this.#asked, { afterMs, account: isAll });
  }

  #isBearable(): boolean {
    const { clock, limits } = this.#options;
    const standing = this.#rateLimits?.standing(nameOf(this.#origin)) ?? null;
    return standing !== null && standing.until - clock.now() <= limitsOf(limits).providerWaitMs;
  }
}

const nameOf = ({ run, step }: Origin): string => `${run}/${step}`;
const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Steps with other servers, keys or variables may have other accounts. A mark of them, since some are secrets. */
function accountOf({ base_url, api_key, env, agent }: { readonly [option: string]: Json | undefined }): string {
  const all = JSON.stringify([base_url ?? null, api_key ?? null, env ?? null, agent ?? null]);
  return createHash("sha256").update(all).digest("hex");
}

/** What words say of a limit; an account's is called so. */
function limitedBy(message: string, now: number): Limited | null {
  const afterMs = toldPause(message, now);
  if (afterMs === null) return null;
  return { pause: { afterMs }, ...(/usage limit/i.test(message) ? { account: true as const } : {}) };
}

function recordWait(
  { run, step }: Origin,
  context: WorkContext,
  { provider, until, before }: LimitStanding,
  now: number,
): void {
  const steps = before === 0 ? "" : `, ${before} ${before === 1 ? "step" : "steps"} before it`;
  const message = `waits for ${provider} until ${momentOf(until, now)}${steps}`;
  const code = AGENT_CODES.rate_limit;
  context.record({ type: "notice", run, step, payload: { severity: "warning", code, message } });
}
