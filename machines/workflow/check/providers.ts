/**
 * The agents that steps name, and what `options:` says to them.
 *
 * I1. AWF passes over options that it does not know: in its places each is a warning, and the document is without it.
 * I2. An agent that is not known may be one that is configured on another machine: that is a warning, and no run begins
 *     here. What looks like a slip is one.
 * I3. What a template makes is judged when it is rendered.
 */
import { own } from "../../model.ts";
import type { AgentNode, Workflow } from "../document.ts";
import { isRendered, misfit, type OptionTables } from "../option-table.ts";
import { meantProvider } from "../providers.ts";
import type { Report } from "../report.ts";
import { STEPS } from "../schema/steps.ts";
import type { Path } from "../texts.ts";
import { child } from "../yaml/located.ts";

export type KnownAgents = {
  /** The names of all providers of this installation; undefined: they are not checked. */
  providers?: readonly string[];
  /** The names of the agents that the user has configured; null where that is not known. */
  agents?: readonly string[] | null;
  /** What each provider takes as `options:`; of others nothing is known. */
  agentOptions?: OptionTables;
};

/** What every agent step may say; the rest is its provider's. */
const COMMON = ["permissions", "mcp_servers"];
const AGENT_FIELDS = Object.keys(STEPS.agent.shape);
/** An agent's id names it for good, and nobody writes it from memory. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CONFIGURED = "an agent of yours (troupe agents list)";
const NO_AGENT = { code: "USER.AGENT.UNKNOWN_PROVIDER", loads: true } as const;

class AgentChecker {
  readonly #report: Report;
  readonly #known: KnownAgents;
  readonly #refuses: (name: string) => boolean;

  constructor(report: Report, known: KnownAgents, refuses: (name: string) => boolean) {
    this.#report = report;
    this.#known = known;
    this.#refuses = refuses;
  }

  check(node: AgentNode): void {
    const state = child(child(this.#report.root, "states"), node.name);
    const isAgent = child(state, "provider") === undefined && child(state, "agent") !== undefined;
    const provider = this.#provider(node, node.provider, [isAgent ? "agent" : "provider"]);
    for (const [index, { provider: other }] of (node.fallback ?? []).entries())
      if (other !== undefined) this.#provider(node, other, ["fallback", index, "provider"]);
    const table = own(this.#known.agentOptions ?? {}, provider);
    if (table !== undefined) this.#options(node, provider, Object.keys(table));
    if (provider === "acp") this.#configured(node);
  }

  /** The provider, or what a misspelt one most likely means. */
  #provider(node: AgentNode, provider: string, at: Path): string {
    const { providers, agents = [] } = this.#known;
    if (providers === undefined || provider.includes("{{")) return provider;
    const known = [...providers, ...(agents ?? [])];
    // AWF's word for an agent of the user's own is told where the step is read.
    if (known.includes(provider) || (provider === "custom" && at[0] !== "fallback")) return provider;
    const named = known.filter((name) => !ID.test(name));
    const slip = this.#report.suggest(provider, named);
    const meant = slip ?? meantProvider(provider);
    this.#report.add({
      ...NO_AGENT,
      message: `there is no provider "${provider}"`,
      expected: `one of ${named.join(", ")}, or ${CONFIGURED}`,
      suggestion: meant,
      path: this.#at(node, ...at),
      // What the product is called may be the name of an agent on another machine.
      maybe: slip === null,
      refuses: agents !== null && this.#refuses(node.name),
    });
    return meant ?? provider;
  }

  #options(node: AgentNode, provider: string, names: readonly string[]): void {
    for (const [name, value] of Object.entries(node.options)) {
      const form = own(own(this.#known.agentOptions ?? {}, provider) ?? {}, name);
      if (form === undefined) this.#unknown(node, provider, name, names);
      else if (value !== null && !isRendered(value)) {
        const expected = misfit(form, value);
        if (expected === null) continue;
        this.#report.add({
          code: "USER.AGENT.INVALID_OPTION",
          message: `"${name}" of ${provider} must be ${expected}`,
          expected,
          suggestion: form.type === "choice" && typeof value === "string" ? this.#report.suggest(value, form.of) : null,
          path: this.#at(node, "options", name),
          loads: true,
          refuses: this.#refuses(node.name),
        });
      }
    }
  }

  #unknown(node: AgentNode, provider: string, name: string, names: readonly string[]): void {
    if (COMMON.includes(name)) return;
    const { awf } = this.#report;
    const isOfStep = AGENT_FIELDS.includes(name);
    this.#report.add({
      code: "WORKFLOW.PARSE.UNKNOWN_FIELD",
      message: `${provider} has no option "${name}"${awf ? ": it is passed over" : ""}`,
      expected: isOfStep ? `"${name}" beside "options", not in it` : `one of ${names.join(", ")}`,
      suggestion: isOfStep ? null : this.#report.suggest(name, [...names, ...COMMON]),
      path: this.#at(node, "options", name),
      on: "key",
      loads: true,
    });
    if (awf) delete node.options[name];
  }

  /** `options.agent` of the provider `acp`. */
  #configured(node: AgentNode): void {
    const { agents = null } = this.#known;
    const name = node.options["agent"];
    if (agents === null || typeof name !== "string" || name.includes("{{") || agents.includes(name)) return;
    const named = agents.filter((each) => !ID.test(each));
    const meant = this.#report.suggest(name, named);
    this.#report.add({
      ...NO_AGENT,
      message: `there is no agent "${name}"`,
      expected: named.length === 0 ? CONFIGURED : `one of ${named.join(", ")}, or ${CONFIGURED}`,
      suggestion: meant,
      path: this.#at(node, "options", "agent"),
      maybe: meant === null,
      refuses: this.#refuses(node.name),
    });
  }

  #at = (node: AgentNode, ...path: Path): Path => ["states", node.name, ...path];
}

/** `refuses`: whether the failure of a step ends the run. */
export function checkProviders(
  workflow: Workflow,
  report: Report,
  known: KnownAgents,
  refuses: (name: string) => boolean,
): void {
  const checker = new AgentChecker(report, known, refuses);
  for (const node of Object.values(workflow.states)) if (node.type === "agent") checker.check(node);
}
