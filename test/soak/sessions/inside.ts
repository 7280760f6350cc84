/**
 * What a Node process holds, seen from outside: its DevTools are asked, so that the program is the one that is built.
 *
 * I1. Garbage is collected before anything is counted.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { STOCK } from "../../../actors/process/spawner/stock.ts";
import { DevTools } from "../../support/devtools.ts";
import { childrenOf } from "../../support/house.ts";
import type { Server } from "../../support/server.ts";

/** For Node: it says on stderr where it can be asked. */
export const WITH_TOOLS = ["--inspect=127.0.0.1:0"] as const;
const LISTENING = /Debugger listening on (ws:\S+)/;

export type Counts = { readonly [name: string]: number };
/** What keeps a process busy. */
export type Held = {
  /** Timers, sockets and pipes by the name that Node has for them. */
  resources: Counts;
  /** Open files by kind. */
  files: Counts;
  children: number;
};

export class Inside {
  readonly #tools: DevTools;
  readonly #server: Server;
  private constructor(tools: DevTools, server: Server) {
    this.#tools = tools;
    this.#server = server;
  }
  static async of(server: Server): Promise<Inside> {
    const [, url = ""] = LISTENING.exec(server.process.stderr) ?? [];
    return new Inside(await DevTools.connect(url), server);
  }

  async held(): Promise<Held> {
    const resources = (await this.#tools.evaluate("process.getActiveResourcesInfo()")) as string[];
    return {
      resources: counted(resources),
      files: counted(filesOf(this.#server.pid)),
      children: childrenOf(this.#server.process.owner).length,
    };
  }
  /** Whether the store's thread for checkpoints is there: it begins after many commits, and stays (`decisions/0024`). */
  hasThread(): boolean {
    if (process.platform !== "linux") return true;
    const tasks = `/proc/${this.#server.pid}/task`;
    return readdirSync(tasks).some((task) => readFileSync(`${tasks}/${task}/comm`, "utf8").trim() === "WorkerThread");
  }
  /** Bytes of what is alive. */
  async heap(): Promise<number> {
    await this.#tools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await this.#tools.send("Runtime.getHeapUsage");
    return Number(usedSize);
  }
  /** Objects and functions that are alive, by their names; and texts that are keys of sessions. */
  async objects(): Promise<Counts> {
    const chunks: string[] = [];
    const off = this.#tools.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => void chunks.push(String(chunk)));
    await this.#tools.send("HeapProfiler.collectGarbage");
    await this.#tools.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    off();
    return objectsIn(JSON.parse(chunks.join("")) as Snapshot);
  }
  /** How many objects of a global class are alive: cheaper than all objects. */
  async instances(name: string): Promise<number> {
    const group = { objectGroup: "counted" };
    const { result } = await this.#tools.send("Runtime.evaluate", { expression: `${name}.prototype`, ...group });
    const prototypeObjectId = (result as Remote).objectId;
    const { objects } = await this.#tools.send("Runtime.queryObjects", { prototypeObjectId, ...group });
    const { result: count } = await this.#tools.send("Runtime.callFunctionOn", {
      objectId: (objects as Remote).objectId,
      functionDeclaration: "function () { return this.length; }",
      returnByValue: true,
    });
    await this.#tools.send("Runtime.releaseObjectGroup", group);
    return Number((count as { value: number }).value);
  }
  leave(): void {
    this.#tools.leave();
  }
}
type Remote = { objectId: string };

type Snapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
  strings: string[];
};
/** One for each session that something remembers: also by a mere entry of a set, which is no object. */
const KEYS = "(key of a session)";
function objectsIn({ snapshot: { meta }, nodes, strings }: Snapshot): Counts {
  const [type, name] = [meta.node_fields.indexOf("type"), meta.node_fields.indexOf("name")];
  const kindOf = (kind: string): number => meta.node_types[0].indexOf(kind);
  const counted = new Set(["object", "closure"].map(kindOf));
  const text = kindOf("string");
  const found: { [name: string]: number } = {};
  for (let at = 0; at < nodes.length; at += meta.node_fields.length) {
    const said = strings[nodes[at + name] as number] ?? "";
    const isKey = nodes[at + type] === text && said.startsWith("session/");
    if (!isKey && !counted.has(nodes[at + type] as number)) continue;
    const what = isKey ? KEYS : said || "(nameless)";
    found[what] = (found[what] ?? 0) + 1;
  }
  return found;
}

/** `socket`, `pipe`, and whatever else `/proc` calls what a process has open. */
function filesOf(pid: number): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`).split(":", 1)[0] as string];
    } catch {
      return []; // it was closed while we looked
    }
  });
}

function counted(names: readonly string[]): Counts {
  const counts: { [name: string]: number } = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Objects that hold data and do nothing: they may be kept up to a bound. */
const PLAIN = ["Object", "Array", "Set", "Map", KEYS];
/** All but plain data. */
export const acting = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => !PLAIN.includes(name)));
export const plain = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => PLAIN.includes(name)));

/** What is held beyond what was held before. Some connections always wait for children to come. */
export const beyond = (before: Held, after: Held): string[] => [
  ...grown(before.resources, after.resources, 1),
  ...grown(before.files, after.files, STOCK + 1),
  ...grown({ children: before.children }, { children: after.children }, 1),
];

/** What there is more of by at least so many, the most first. */
export const grown = (before: Counts, after: Counts, by: number): string[] =>
  Object.entries(after)
    .map(([name, count]) => ({ name, more: count - (before[name] ?? 0) }))
    .filter(({ more }) => more >= by)
    .sort((a, b) => b.more - a.more)
    .map(({ name, more }) => `${more} ${name}`);
