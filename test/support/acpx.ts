/**
 * acpx, a headless ACP client of somebody else, with `troupe acp` as its agent "troupe"; a tee between them writes down
 * every message.
 *
 * I1. acpx has a home of its own in the house: its sessions, its owner processes, its configuration.
 * I2. An owner process that a test forgets to close ends by itself.
 */
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { faultsOf, type Sent } from "./acp-schema.ts";
import { type House, PROGRAM } from "./house.ts";
import { Started } from "./started.ts";

const ACPX = fileURLToPath(new URL("../../node_modules/.bin/acpx", import.meta.url));
const TEE = fileURLToPath(new URL("../acceptance/programs/tee.mjs", import.meta.url));
/** An owner process that nobody talks to ends by itself after so many seconds. */
const TTL = "30";

/** One connection: what was sent over it, and how the agent ended. */
export type Wire = { sent: Sent[]; ended: number | string | null };
export type Said = { code: number | null; out: string; err: string };

export class Acpx {
  readonly #house: House;
  readonly #env: { [name: string]: string };
  readonly #records: string;

  constructor(house: House, home = "acpx") {
    this.#house = house;
    // One for all homes: to acpx, an agent is its command.
    this.#records = join(house.root, "records");
    const own = join(house.root, home);
    mkdirSync(this.#records, { recursive: true });
    mkdirSync(join(own, ".acpx"), { recursive: true });
    this.#env = { ...house.env, HOME: own, TROUPE_TRUST: "1" };
    const args = [TEE, this.#records, process.execPath, PROGRAM, "acp"];
    const config = { agents: { troupe: { command: process.execPath, args } }, defaultAgent: "troupe" };
    writeFileSync(join(own, ".acpx", "config.json"), JSON.stringify(config));
  }

  start(...args: string[]): Started {
    return new Started([process.execPath, ACPX, "--cwd", this.#house.cwd, "--ttl", TTL, ...args], {
      cwd: this.#house.cwd,
      env: this.#env,
    });
  }
  /** Runs a command to its end; `input` is its standard input, which is closed then. */
  async run(args: readonly string[], input = ""): Promise<Said> {
    const started = this.start(...args);
    started.child.stdin.end(input);
    const { code } = await started.ended;
    return { code, out: started.lines.join("\n"), err: started.stderr };
  }
  /** The output of a command that has to succeed. */
  async does(...args: string[]): Promise<string> {
    const said = await this.run(args);
    expect([args, said]).toEqual([args, { ...said, code: 0 }]);
    return said.out;
  }
  /** The same, of one that has more to say than one line of JSON. */
  async messages(...args: string[]): Promise<{ [name: string]: unknown }[]> {
    const out = await this.does("--format", "json", ...args);
    return out.split("\n").map((line) => JSON.parse(line) as { [name: string]: unknown });
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
  /** The connection that was made last. */
  last(): Wire {
    return this.wires().at(-1) ?? { sent: [], ended: null };
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
  /** Every connection ended by itself, and every message of both sides was valid by the protocol's own schema. */
  async settled(): Promise<Wire[]> {
    await this.recorded((all) => all.every(({ ended }) => ended !== null));
    const all = this.wires();
    expect(all.flatMap(({ sent }) => faultsOf(sent))).toEqual([]);
    return all;
  }
}

/** The parameters of the client's requests and notifications of this method. */
export const asked = ({ sent }: Wire, method: string): { [name: string]: unknown }[] =>
  sent
    .filter(({ from, message }) => from === "client" && message["method"] === method)
    .map(({ message }) => message["params"] as { [name: string]: unknown });
/** The results of the agent's answers to requests of this method. */
export function answered({ sent }: Wire, method: string): { [name: string]: unknown }[] {
  const ids = new Set(
    sent.flatMap(({ from, message }) => (from === "client" && message["method"] === method ? [message["id"]] : [])),
  );
  return sent.flatMap(({ from, message }) =>
    from === "agent" && !("method" in message) && ids.has(message["id"]) && "result" in message
      ? [message["result"] as { [name: string]: unknown }]
      : [],
  );
}
