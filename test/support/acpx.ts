/**
 * acpx, a headless ACP client by other authors, with `troupe acp` as its agent "troupe". A tee between them records
 * every message.
 *
 * I1. acpx has a home of its own in the house: its sessions, its owner processes, its configuration.
 * I2. An owner process that a test forgets to close ends by itself.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { type House, PROGRAM } from "./house.ts";
import { Started } from "./started.ts";
import { Tape } from "./tape.ts";

const ACPX = fileURLToPath(new URL("../../node_modules/.bin/acpx", import.meta.url));
/** An idle owner process ends by itself after this many seconds. */
const TTL = "30";

export type Said = { code: number | null; out: string; err: string };

export class Acpx extends Tape {
  readonly #house: House;
  readonly #env: { [name: string]: string };

  constructor(house: House, home = "acpx") {
    // One for all homes: to acpx, an agent is its command.
    super(join(house.root, "records"));
    this.#house = house;
    const own = join(house.root, home);
    mkdirSync(join(own, ".acpx"), { recursive: true });
    this.#env = { ...house.env, HOME: own, TROUPE_TRUST: "1" };
    const [command, ...args] = this.command([process.execPath, PROGRAM, "acp"]);
    const config = { agents: { troupe: { command, args } }, defaultAgent: "troupe" };
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
}
