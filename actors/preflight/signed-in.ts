/**
 * Whether the user is signed in where an agent's program is there: it says so itself, where it can, surely and at once.
 *
 * I1. What it cannot know counts as signed in: no answer, an odd one, a late one, credentials that may be another's.
 * I2. It is asked from no folder of the workflow's and found by no path of it; once in a look, and not again by this
 *     process when it did not say no.
 */
import { homedir } from "node:os";
import type { AgentNode } from "../../machines/workflow/document.ts";
import type { AgentProgram } from "../agents/programs.ts";
import { askProgram } from "../process/ask-program.ts";
import { agentEnvironment } from "../process/environment.ts";
import type { Faults } from "./subject.ts";

/** `seems so`: it was asked, and did not say no. */
export type SignInSeen = "no" | "seems so" | "not told";

const LIMIT_MS = 5_000;
const spared = new Set<string>();

export class SignIns {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #asked = new Map<string, Promise<boolean>>();
  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** `path`: the program, absolute. */
  async check(node: AgentNode, program: AgentProgram, path: string, faults: Faults): Promise<void> {
    // What a step sets may be the key.
    if (program.status === undefined || node.options["env"] !== undefined) return;
    const asked = this.#asked.get(path) ?? this.#isMissing(program, path);
    this.#asked.set(path, asked);
    if (!(await asked)) return;
    faults.add(node.name, {
      code: "USER.AGENT.NOT_SIGNED_IN",
      cause: `not signed in ${path}`,
      message: `no one is signed in to ${program.name} here`,
      expected: `a sign-in: ${program.signIn}`,
      at: ["provider"],
      maybe: true,
    });
  }

  /** What a program says of its user's sign-in. `path`: the program, absolute. */
  async ask({ status }: AgentProgram, path: string): Promise<SignInSeen> {
    if (status === undefined) return "not told";
    const { SIGN_IN } = await status();
    const env = agentEnvironment(this.#environment, {}, SIGN_IN.environment);
    if (SIGN_IN.isSpared(env)) return "not told";
    const cwd = env["HOME"] || homedir();
    const said = await askProgram({ path, args: SIGN_IN.arguments, env, cwd, limitMs: LIMIT_MS });
    if (said === null) return "not told";
    return SIGN_IN.saysNo(said) ? "no" : "seems so";
  }

  async #isMissing(program: AgentProgram, path: string): Promise<boolean> {
    if (program.status === undefined || spared.has(path)) return false;
    const isMissing = (await this.ask(program, path)) === "no";
    if (!isMissing) spared.add(path);
    return isMissing;
  }
}
