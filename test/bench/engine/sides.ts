/**
 * The two that are compared: Troupe on one machine, and Troupe over an engine of this machine. Each has a house of its own
 * with the same workflows; an editor talks to `troupe acp` of either.
 */
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cluster } from "../../support/cluster.ts";
import { type House, kill, openHouse, PROGRAM } from "../../support/house.ts";
import type { Started } from "../../support/started.ts";
import { Client } from "../client.ts";
import { processorMs } from "../memory.ts";

/** Steps of a prompt of `/chain`: an agent in our own process says two letters. */
export const STEPS = 4;

const say = (at: number) =>
  `  s${at}: {type: agent, provider: understudy, prompt: hi, on_success: ${at + 1 === STEPS ? "done" : `s${at + 1}`}}\n`;
const workflow = (name: string, first: string, states: string) =>
  `name: ${name}\nstates:\n  initial: ${first}\n${states}  done: {type: terminal}\n`;
const WORKFLOWS = {
  chain: workflow("chain", "s0", Array.from({ length: STEPS }, (_, at) => say(at)).join("")),
  wait: workflow(
    "wait",
    "a",
    "  a: {type: ask, questions: [{name: q, prompt: Well?, choices: [yes, no]}], on_success: done}\n",
  ),
  sleep: workflow(
    "sleep",
    "a",
    "  a: {type: command, command: 'echo begun >> marks; sleep 3', recover: rerun, on_success: done}\n",
  ),
};

/** Milliseconds of processor time, by kind of process. */
export type Processor = { node: number; worker: number; gateway: number };
export type Side = {
  name: "embedded" | "engine";
  cwd: string;
  /** A `troupe acp` that has answered `initialize`. */
  ready(): Promise<Client>;
  /** What all its processes have used so far; `client` is its gateway, or all of it. */
  processor(client: Client): Processor;
  /** Of all that it keeps. */
  bytes(): number;
};
export type EngineSide = Side & { cluster: Cluster; worker: Started; anotherWorker(): Promise<Started> };

/** `houses`: where what is opened is kept, for who leaves them in the end. */
export function embeddedSide(houses: House[]): Side {
  const house = furnished(houses);
  return {
    name: "embedded",
    cwd: house.cwd,
    ready: () => client(house, []),
    processor: ({ pid }) => ({ node: 0, worker: 0, gateway: processorMs(pid) }),
    bytes: () => bytesBelow(join(house.root, "home")),
  };
}

/** An engine of so many nodes with one worker. */
export async function engineSide(houses: House[], nodes = 1): Promise<EngineSide> {
  const house = furnished(houses);
  const cluster = await Cluster.open(house, nodes);
  const side: EngineSide = {
    name: "engine",
    cwd: house.cwd,
    cluster,
    worker: await cluster.worker(),
    anotherWorker: async () => {
      side.worker = await cluster.worker();
      return side.worker;
    },
    ready: () => client(house, cluster.engine()),
    processor: ({ pid }) => ({
      node: cluster.pids().reduce((sum, node) => sum + processorMs(node), 0),
      worker: processorMs(side.worker.child.pid ?? 0),
      gateway: processorMs(pid),
    }),
    bytes: () => Array.from({ length: nodes }, (_, i) => bytesBelow(cluster.data(i))).reduce((a, b) => a + b),
  };
  return side;
}

/** As `kill -9`. */
export const killClient = ({ pid }: Client): void => kill(pid);

function furnished(houses: House[]): House {
  const house = openHouse([]);
  houses.push(house);
  for (const [name, text] of Object.entries(WORKFLOWS))
    writeFileSync(join(house.cwd, ".troupe", "workflows", `${name}.yaml`), text);
  return house;
}
async function client({ cwd, env }: House, args: readonly string[]): Promise<Client> {
  const one = new Client({
    argv: [process.execPath, PROGRAM, "acp", ...args],
    cwd,
    env: { ...env, TROUPE_TRUST: "1" },
  });
  await one.initialize();
  return one;
}
/** What is in its files: an engine takes room on the disc ahead of what it writes. */
const bytesBelow = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
