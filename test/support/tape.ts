/** What tees between clients and `troupe acp` have written down in a folder: one file a connection. */
import { mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import { faultsOf, type Sent } from "./acp-schema.ts";

const TEE = fileURLToPath(new URL("../acceptance/programs/tee.mjs", import.meta.url));

/** One connection: what was sent over it, and how the agent ended; `lost`: its tee was killed before it could say. */
export type Wire = { sent: Sent[]; ended: number | string | null };

/** A tee's file is named after the time and its process. */
function isGone(file: string): boolean {
  try {
    process.kill(Number(file.slice(file.indexOf("-") + 1, -".jsonl".length)), 0);
    return false;
  } catch {
    return true;
  }
}

export class Tape {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** What a client is to start in the place of `agent`. */
  command(agent: readonly string[]): [string, ...string[]] {
    return [process.execPath, TEE, this.#folder, ...agent];
  }

  /** The connections so far, in their order. */
  wires(): Wire[] {
    return readdirSync(this.#folder)
      .sort()
      .map((file) => {
        const gone = isGone(file); // asked first: what it wrote before it ended is in the file then
        // The last line may be under way.
        const lines = readFileSync(join(this.#folder, file), "utf8").split("\n").slice(0, -1);
        const all = lines.map((line) => JSON.parse(line) as Sent | { ended: number | string });
        const end = all.find((line) => "ended" in line);
        return { sent: all.filter((line) => "message" in line), ended: end?.ended ?? (gone ? "lost" : null) };
      });
  }
  /** The connection that was made last. */
  last(): Wire {
    return this.wires().at(-1) ?? { sent: [], ended: null };
  }
  /** Resolves as soon as `isIt` holds for what is written down. */
  recorded(isIt: (wires: Wire[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const watcher = watch(this.#folder, () => look());
      const look = (): void => {
        if (!isIt(this.wires())) return;
        watcher.close();
        resolve();
      };
      look();
    });
  }
  /** Every connection has ended, and every message of both sides was valid by the protocol's own schema. */
  async settled(): Promise<Wire[]> {
    // No watcher sees a tee that is killed: a busy machine makes a client's patience end there.
    await vi.waitUntil(() => this.wires().every(({ ended }) => ended !== null), { timeout: 100_000 });
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
