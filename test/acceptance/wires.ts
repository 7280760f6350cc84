/** What the tee between acpx and an agent has written down. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { House } from "../support/house.ts";
import { Started } from "../support/started.ts";
import { Tape, type Wire } from "../support/tape.ts";

const ACPX = fileURLToPath(new URL("../../node_modules/.bin/acpx", import.meta.url));

/** acpx in a house, with an agent behind a tee. */
export class Taped extends Tape {
  readonly #house: House;
  readonly #agent: readonly string[];

  /** `agent`: the program that acpx starts, and its arguments. */
  constructor(house: House, agent: readonly string[]) {
    super(join(house.root, "records"));
    this.#house = house;
    this.#agent = agent;
  }

  /** Starts acpx, which allows all that it is asked. */
  start(...args: string[]): Started {
    const agent = this.command(this.#agent).join(" ");
    const { cwd, env } = this.#house;
    const options = ["--cwd", cwd, "--agent", agent, "--approve-all", "--format", "json"];
    return new Started([process.execPath, ACPX, ...options, ...args], { cwd, env: { ...env, TROUPE_TRUST: "1" } });
  }
}

/** The parameters of the client's requests of this method, in order. */
export const requests = ({ sent }: Wire, method: string): { sessionId?: string }[] =>
  sent
    .filter(({ from, message }) => from === "client" && message["method"] === method)
    .map(({ message }) => message["params"] as object);

/** The results of the agent's answers, in order. */
export const answers = ({ sent }: Wire): object[] =>
  sent.flatMap(({ from, message }) => (from === "agent" && "result" in message ? [message["result"] as object] : []));
