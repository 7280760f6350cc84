/**
 * Preflight: what can be known of a workflow before it runs, beyond what its text says. The files that it names, the
 * workflows that it calls, the programs and the configuration of this machine.
 *
 * I1. Nothing is opened but workflow files that are called, and nothing started but an agent's own program, to ask
 *     whether the user is signed in (`signed-in.ts`), and git, to read what a repository is (`isolated.ts`).
 * I2. What only this machine knows is a warning of `validate`, and no run begins with it.
 * I3. What it costs is bounded: so many workflows, each looked at once however many call it, so many steps of each.
 */
import { own } from "../../machines/model.ts";
import { isOperation } from "../../machines/workflow/check/operations.ts";
import type { AgentNode, Node, Workflow } from "../../machines/workflow/document.ts";
import type { Finding } from "../../machines/workflow/finding.ts";
import type { Loaded, Workflows } from "../catalogue/catalogue.ts";
import { type Inputs, KnownTexts } from "../catalogue/known.ts";
import { placed } from "../catalogue/summary.ts";
import type { Config } from "../config/config.ts";
import { TroupeError, troupeError } from "../errors/troupe-error.ts";
import type { Operations } from "../operations/registry.ts";
import { checkAgentFields } from "./agent-fields.ts";
import { type Calls, checkCall } from "./calls.ts";
import { checkGranted } from "./granted.ts";
import { checkInputs } from "./inputs.ts";
import { checkInstalled } from "./installed.ts";
import { checkIsolated } from "./isolated.ts";
import { checkModel } from "./model.ts";
import { checkNamedFiles } from "./named-files.ts";
import { checkNested } from "./nested.ts";
import { checkScripts } from "./scripts.ts";
import { checkServer } from "./servers.ts";
import { checkShape } from "./shape.ts";
import { SignIns } from "./signed-in.ts";
import { Faults, type Subject } from "./subject.ts";

export type PreflightOptions = {
  catalogue: Pick<Workflows, "load">;
  environment: NodeJS.ProcessEnv;
  operations: Operations;
  providers: readonly string[];
  /** Throws a `TroupeError` where the configuration has a fault. */
  config: () => Config;
};
/** Where and with what it is to run: `inputs` null where that is not known, `servers` those that its client brought. */
export type Departure = { cwd: string; inputs: Inputs | null; servers: readonly string[] } & ChosenHere;
/** What was chosen for its session. */
export type ChosenHere = { permissions?: string | undefined; model?: string | undefined };

export type Preflight = {
  /** What is found, in the order of the file. */
  check(subject: Subject, departure: Departure): Promise<Finding[]>;
  /** Throws WORKFLOW.VALIDATION.FAILED, WORKFLOW.PREFLIGHT.REFUSED, USER.CONFIG.INVALID or USER.RUN.TOO_DEEP where no run begins. */
  clear(loaded: Loaded, departure: Departure): Promise<void>;
};

/** Called workflows that are looked at for one. */
const MOST_CALLED = 64;
const MOST_STEPS = 2_000;

/** Providers, servers and prices stand in the configuration, and the folder of a step's own tree. */
const needsConfig = (node: Node): boolean =>
  node.type === "agent" || node.type === "operation" || (node.type !== "terminal" && node.isolation !== undefined);
/** The first step that the configuration has to be right for. */
const needing = ({ states, initial, isolation }: Workflow): Node | undefined =>
  Object.values(states).find(needsConfig) ?? (isolation === undefined ? undefined : states[initial]);

export const preflightOf = (options: PreflightOptions): Preflight => ({
  check: (subject, departure) => new Looking(options, departure).check(subject),
  clear: (loaded, departure) => new Looking(options, departure).clear(loaded),
});

/**
 * What a workflow and all that it calls share. `called`: why a called workflow would be refused, by its file; one that is
 * being looked at is taken as right.
 */
type Seen = { signIns: SignIns; called: Map<string, string | null> };

class Looking {
  readonly #options: PreflightOptions;
  readonly #departure: Departure;
  readonly #seen: Seen;

  constructor(
    options: PreflightOptions,
    departure: Departure,
    seen: Seen = { signIns: new SignIns(options.environment), called: new Map() },
  ) {
    this.#options = options;
    this.#departure = departure;
    this.#seen = seen;
  }

  async clear(loaded: Loaded): Promise<void> {
    checkNested(this.#options.environment, loaded.id);
    if (needing(loaded.workflow) !== undefined) this.#options.config(); // one with a fault serves no step
    const refusing = await this.#refusing(loaded);
    if (refusing.length === 0) return;
    const code = refusing.some(({ severity }) => severity === "error")
      ? "WORKFLOW.VALIDATION.FAILED"
      : "WORKFLOW.PREFLIGHT.REFUSED";
    const lines = refusing.map((each) => placed(each, loaded.file, this.#departure.cwd));
    const message = lines.length === 1 ? (lines[0] ?? "") : `${lines.length} things are wrong\n${lines.join("\n")}`;
    throw new TroupeError(code, `"${loaded.id}" was not run: ${message}`, {
      id: loaded.id,
      file: loaded.file,
      findings: refusing,
    });
  }

  async check({ workflow, source }: Subject): Promise<Finding[]> {
    const faults = new Faults({ workflow, source });
    const { environment } = this.#options;
    const { cwd, inputs } = this.#departure;
    const known = new KnownTexts({ environment, cwd, file: workflow.file }, inputs);
    this.#checkConfig(workflow, faults);
    for (const node of Object.values(workflow.states).slice(0, MOST_STEPS))
      await this.#step(node, workflow, known, faults);
    await checkIsolated(workflow, { environment, cwd }, faults);
    return faults.findings();
  }

  async #step(node: Node, workflow: Workflow, known: KnownTexts, faults: Faults): Promise<void> {
    checkNamedFiles(node, known, faults);
    switch (node.type) {
      case "agent":
        checkAgentFields(node, faults);
        await checkScripts(node, faults);
        checkGranted(
          node,
          { ...this.#machine(), ...this.#departure, permissions: this.#departure.permissions },
          faults,
        );
        await checkShape(node, faults);
        checkModel(node, known, { ...this.#machine(), chosen: this.#departure.model }, faults);
        await this.#checkProgram(node, known, faults);
        return;
      case "operation":
        await checkInputs(node, this.#options.operations, faults);
        checkServer(node, { ...this.#options, ...this.#machine(), ...this.#departure }, faults);
        return;
      case "call_workflow":
        await checkCall(node, workflow, { known, faults, calls: this.#calls });
        return;
      case "command":
        await checkShape(node, faults);
        return;
      case "parallel":
      case "for_each":
      case "while":
      case "ask":
      case "terminal":
        return;
      default:
        node satisfies never;
    }
  }

  /** One with a fault serves no step: it is reported at the first that needs it. */
  #checkConfig(workflow: Workflow, faults: Faults): void {
    const needs = needing(workflow);
    if (needs === undefined) return;
    try {
      this.#options.config();
    } catch (error) {
      const { code, message } = troupeError(error);
      if (code !== "USER.CONFIG.INVALID") throw error;
      faults.add(needs.name, { code, message: message.replaceAll("\n", "; "), at: [], maybe: true });
    }
  }

  async #checkProgram(node: AgentNode, known: KnownTexts, faults: Faults): Promise<void> {
    const there = checkInstalled(node, known, this.#machine(), faults);
    if (there !== null) await this.#seen.signIns.check(node, there.program, there.path, faults);
  }

  #machine() {
    const { environment, providers, config } = this.#options;
    try {
      return { environment, providers, config: config() };
    } catch {
      return { environment, providers, config: null };
    }
  }

  readonly #calls: Calls = {
    load: (name, from) => this.#options.catalogue.load(this.#departure.cwd, name, from),
    refusal: async (called) => {
      const seen = this.#seen.called;
      const known = seen.get(called.real);
      if (known !== undefined || seen.size >= MOST_CALLED) return known ?? null;
      seen.set(called.real, null);
      const { cwd } = this.#departure;
      // Its inputs are what the call makes of them.
      const below = new Looking(this.#options, { ...this.#departure, inputs: null }, this.#seen);
      const refusing = await below.#refusing(called);
      const why = refusing.map((each) => placed(each, called.file, cwd)).join("; ");
      seen.set(called.real, why === "" ? null : why);
      return why === "" ? null : why;
    },
  };

  /** What no run begins with: of the file's own findings, and of what is found here. */
  async #refusing({ workflow, source, findings }: Loaded): Promise<Finding[]> {
    const all = [
      ...findings.filter((each) => !this.#isServed(each, workflow)),
      ...(await this.check({ workflow, source })),
    ];
    const refusing = all.filter(({ severity, refuses }) => severity === "error" || refuses === true);
    return refusing.sort((a, b) => a.range.start - b.range.start);
  }

  /** An operation that was not known when the file was read: the client's servers may have it. */
  #isServed({ code, path }: Finding, { states }: Workflow): boolean {
    if (code !== "USER.OPERATION.UNKNOWN") return false;
    const node = own(states, path.split(".")[1] ?? "");
    const { servers } = this.#departure;
    return node?.type === "operation" && isOperation(node.operation, { operations: {}, servers });
  }
}
