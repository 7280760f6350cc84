/** What the tee between acpx and an agent has written down. */
import { mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sent } from "../support/acp-schema.ts";
import type { House } from "../support/house.ts";
import { Started } from "../support/started.ts";

const ACPX = fileURLToPath(new URL("../../node_modules/.bin/acpx", import.meta.url));
const TEE = fileURLToPath(new URL("./programs/tee.mjs", import.meta.url));

/** One connection: what was sent over it, and how the agent ended. */
export type Wire = { sent: Sent[]; ended: number | string | null };

/** acpx in a house, with an agent behind a tee. */
export class Taped {
  readonly #house: House;
  readonly #records: string;
  readonly #agent: readonly string[];

  /** `agent`: the program that acpx starts, and its arguments. */
  constructor(house: House, agent: readonly string[]) {
    this.#house = house;
    this.#agent = agent;
    this.#records = join(house.root, "records");
    mkdirSync(this.#records);
  }

  /** Starts acpx; it allows whatever it is asked. */
  start(...args: string[]): Started {
    const agent = [process.execPath, TEE, this.#records, ...this.#agent].join(" ");
    const { cwd, env } = this.#house;
    const options = ["--cwd", cwd, "--agent", agent, "--approve-all", "--format", "json"];
    return new Started([process.execPath, ACPX, ...options, ...args], { cwd, env: { ...env, TROUPE_TRUST: "1" } });
  }

  /** The connections so far, in their order. */
  wires(): Wire[] {
    return readdirSync(this.#records)
      .sort()
      .map((file) => {
        // The last line may be under way.
        const lines = readFileSync(join(this.#records, file), "utf8").split("\n").slice(0, -1);
        const all = lines.map((line) => JSON.parse(line) as Sent | { ended: number | string });
        const end = all.find((line) => "ended" in line);
        return { sent: all.filter((line) => "message" in line), ended: end === undefined ? null : end.ended };
      });
  }
  /** Resolves as soon as `isIt` holds for what is written down. */
  recorded(isIt: (wires: Wire[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const watcher = watch(this.#records, () => look());
      const look = (): void => {
        if (!isIt(this.wires())) return;
        watcher.close();
        resolve();
      };
      look();
    });
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
