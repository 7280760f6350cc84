/** Receivers of what a process's machines do: the one of `@statelyai/inspect`, and one that says how it was refused. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createWebSocketReceiver, type StatelyInspectionEvent } from "@statelyai/inspect";
import { type ClientOptions, WebSocket } from "ws";
import type { House } from "./house.ts";
import type { Server } from "./server.ts";

export type Told = StatelyInspectionEvent;

/** Where the processes of a house that are inspected can be reached, as their files say. */
export function addressesIn({ store }: House): string[] {
  return toldIn(store).map(({ address }) => address);
}
function toldIn(store: string): { file: string; pid: number; address: string }[] {
  const folder = join(store, "..", "inspect");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.map((name) => {
    const file = join(folder, name);
    return { file, ...(JSON.parse(readFileSync(file, "utf8")) as { pid: number; address: string }) };
  });
}

/** Where a server that is inspected can be reached, and the file that says so. */
export function inspectionOf({ house, server }: { house: House; server: Server }): { file: string; address: string } {
  const found = toldIn(house.store).find(({ pid }) => pid === server.pid);
  if (found === undefined) throw new Error(`process ${server.pid} has not said where it can be inspected`);
  return found;
}
export const addressOf = (place: { house: House; server: Server }): string => inspectionOf(place).address;

/** Stately's own receiver, and all that it was told. */
export class Receiver {
  readonly told: Told[] = [];
  #waiting: (() => void)[] = [];
  constructor(server: string) {
    createWebSocketReceiver({ server }).subscribe((one) => {
      this.told.push(one);
      for (const look of this.#waiting.splice(0)) look();
    });
  }
  /** Resolves with the first message that is so, whenever it comes. */
  async hears(isIt: (one: Told) => boolean): Promise<Told> {
    for (;;) {
      const found = this.told.find(isIt);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

/** "open" where it comes in, else the status that it is refused with. */
export function comesIn(url: string, options: ClientOptions = {}): Promise<"open" | number> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(url, options);
    ws.once("open", () => {
      ws.close();
      resolve("open");
    });
    ws.once("unexpected-response", (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    ws.once("error", reject);
  });
}
