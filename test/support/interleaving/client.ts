/** A client of a Troupe process, over pipes or over a socket: what both have in common. */
import { once } from "node:events";
import type { Answer, Message } from "../acp-editor.ts";
import { Editor } from "../acp-editor.ts";
import type { Sent } from "../acp-schema.ts";
import type { House } from "../house.ts";
import { outcomeOf, type Server, SocketClient, startServer } from "../server.ts";
import type { Started } from "../started.ts";

const TRUST = { TROUPE_TRUST: "1" };

export interface Client {
  readonly trace: Sent[];
  /** The process that serves it, as its children and its sessions name it. */
  readonly owner: string;
  request(method: string, params: object): Promise<Answer>;
  notify(method: string, params: object): void;
  /** Answers a permission request with an option, or with a cancel. */
  answer(id: unknown, option: string | null): void;
  sees(isIt: (sent: Sent) => boolean, from: number): Promise<Sent>;
  /** Hangs up; settles when the other side knows. */
  leave(): Promise<void>;
}

/** Where clients come from, and which of them end together. */
export interface Way {
  /** `env`: for the process that is started for it. */
  enter(house: House, env?: { [name: string]: string }): Promise<Client>;
  /** `kill -9` of the process that serves it; null: of the one that serves all, if there is one. */
  kill(client: Client | null): Promise<void>;
  /** Clients of one process see one another's turns. */
  isShared: boolean;
}

/** Each client has a `troupe acp` of its own; they meet in the store. */
export function processes(): Way {
  const editors = new Map<Client, Editor>();
  return {
    isShared: false,
    enter: async (house, env = {}) => {
      const editor = new Editor(house.troupe(["acp"], { ...TRUST, ...env }));
      editor.decide = () => undefined;
      await editor.initialize();
      const client: Client = {
        trace: editor.trace,
        owner: editor.agent.owner,
        request: (method, params) => editor.request(method, params),
        notify: (method, params) => editor.notify(method, params),
        answer: (id, option) => editor.answer(id, option),
        sees: (isIt, from) => editor.sees(isIt, from),
        leave: async () => {
          const { code, signal } = await editor.leave();
          if (code !== 0) throw new Error(`it ended with ${code ?? signal}: ${editor.agent.stderr}`);
        },
      };
      editors.set(client, editor);
      return client;
    },
    kill: async (client) => {
      const editor = client === null ? undefined : editors.get(client);
      editor?.agent.kill();
      await editor?.agent.ended;
    },
  };
}

/** All clients are connections to one `troupe serve`, which is started again after a kill. */
export function connections(): Way {
  let server: Server | null = null;
  /** How many have left it. */
  let left = 0;
  return {
    isShared: true,
    enter: async (house, env = {}) => {
      const options = ["--limit", "disconnectGraceMs=0", "--log-level", "debug"];
      server ??= await startServer(house, options, { ...TRUST, ...env });
      const { url, process } = server;
      const socket = await SocketClient.ready(url);
      const send = (message: Message): void => socket.send(message);
      return {
        trace: socket.trace,
        owner: process.owner,
        request: (method, params) => socket.request(method, params),
        notify: (method, params) => socket.notify(method, params),
        answer: (id, option) => send({ jsonrpc: "2.0", id, result: { outcome: outcomeOf(option) } }),
        sees: (isIt, from) => socket.sees(isIt, from),
        leave: async () => {
          await socket.leave();
          left += 1;
          await saidTimes(process, "a connection has gone", left); // what it asked for last is begun, or never will be
        },
      };
    },
    kill: async () => {
      const dying = server;
      server = null;
      left = 0;
      dying?.process.kill();
      await dying?.process.ended;
    },
  };
}

/** Resolves when a process has said this so many times on standard error. */
async function saidTimes(process: Started, text: string, times: number): Promise<void> {
  const { stderr } = process.child;
  const isSaid = (): boolean => process.stderr.split(text).length > times;
  while (!isSaid()) await once(stderr, "data");
}
