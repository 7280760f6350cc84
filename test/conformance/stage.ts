/**
 * Where scenarios run: real agents of one profile over one transport, and wires to them.
 *
 * I1. Agents are processes of the built program. One configuration starts one agent, which serves scenario after
 *     scenario. A scenario that ends an agent starts that agent itself.
 * I2. After a scenario its sockets are closed and the runs of its sessions are cancelled.
 */
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { OpenChannel } from "../../actors/acp-client/channel.ts";
import { type AgentCommand, startAgent } from "../../actors/acp-client/start.ts";
import { addressOf } from "../../transports/client/address.ts";
import { type Client, type ConnectOptions, connect } from "../../transports/client/connect.ts";
import { socketTo } from "../../transports/client/socket-channel.ts";
import { Editor } from "../support/acp-editor.ts";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import { type Server, SocketClient, startServer } from "../support/server.ts";
import { Started } from "../support/started.ts";
import type { Profile, Transport } from "./demand.ts";
import { Excerpt } from "./excerpt.ts";
import { Tap } from "./tap.ts";
import { Shown, Wire } from "./wire.ts";

/** `config`: for ACP, without the profile. `own`: a process only for this wire. */
export type WireOptions = {
  name?: string;
  config?: object;
  flags?: readonly string[];
  env?: { [name: string]: string };
  own?: boolean;
  initialize?: object | null;
};

const WORKFLOWS = [
  ...["hello", "told", "asleep", "gate", "tools", "tools-abort"].map((name) => `acceptance/${name}.yaml`),
  ...["works", "waits", "flaky", "broken"].map((name) => `conformance/${name}.yaml`),
];
const PROBE = fileURLToPath(new URL("programs/probe.mjs", import.meta.url));
const INITIALIZE = { protocolVersion: 1, clientCapabilities: {} };
const TRUST = { TROUPE_TRUST: "1" };

const PROBING = { command: process.execPath, args: [PROBE] };
const starting =
  (command: AgentCommand): OpenChannel =>
  async () =>
    startAgent(command);

export class Stage {
  readonly profile: Profile;
  readonly transport: Transport;
  readonly house: House;
  readonly #servers = new Map<string, Promise<Server>>();
  readonly #editors = new Map<string, Promise<Editor>>();
  #wires: Wire[] = [];
  #own: Editor[] = [];
  #clients: Client[] = [];
  #probe: Promise<string> | undefined;
  #probing: Started | undefined;
  #excerpt!: Excerpt;

  constructor(profile: Profile, transport: Transport) {
    this.profile = profile;
    this.transport = transport;
    this.house = openHouse(WORKFLOWS);
    const role = join(this.house.cwd, ".troupe", "roles", "reviewer");
    mkdirSync(role, { recursive: true });
    writeFileSync(join(role, "AGENTS.md"), "Look twice.\n");
  }

  get cwd(): string {
    return this.house.cwd;
  }
  get isSki(): boolean {
    return this.profile === "ski";
  }
  /** Adds a line to the table that no message shows. */
  say(text: string): void {
    this.#excerpt.say(text);
  }

  /** Another workspace with the same workflows, which is not trusted. */
  elsewhere(): string {
    const cwd = mkdtempSync(join(this.house.root, "elsewhere-"));
    cpSync(join(this.house.cwd, ".troupe"), join(cwd, ".troupe"), { recursive: true });
    return cwd;
  }

  /** Plays a scenario and answers the lines that it shows. */
  async perform(play: (stage: Stage) => Promise<void>): Promise<string[]> {
    const { root, cwd } = this.house;
    this.#excerpt = new Excerpt([
      [cwd, "<work>"],
      [root, "<home>"],
    ]);
    try {
      await play(this);
      expect(this.#wires.flatMap((wire) => wire.faults())).toEqual([]);
    } finally {
      await this.#clear();
    }
    return this.#excerpt.lines;
  }

  /** A client of an agent, initialised unless `options` says otherwise. */
  async wire({ name = "", initialize = INITIALIZE, ...options }: WireOptions = {}): Promise<Wire> {
    const wire = new Wire(await this.#client(initialize, options), this.#excerpt, name);
    this.#wires.push(wire);
    return wire;
  }
  /** A trace, of which lines can be shown. */
  shown(trace: Shown["trace"]): Shown {
    return new Shown(trace, this.#excerpt);
  }
  /** Troupe's own client of an agent of this profile, and a tap on their messages. */
  async client(options: Partial<ConnectOptions> = {}, script: (tap: Tap) => void = () => undefined) {
    const env = { ...this.house.env, ...TRUST };
    const command = { command: process.execPath, args: [PROGRAM, "acp", ...this.args()], env, cwd: this.cwd };
    const tap = new Tap(
      this.transport === "ws" ? socketTo(addressOf({ url: (await this.server()).url })) : starting(command),
    );
    script(tap);
    const client = await connect({ ...options, open: tap.open } as ConnectOptions);
    this.#clients.push(client);
    return { client, tap };
  }
  /** The same with an agent that sends its client any request that a prompt names. */
  async probe(options: Partial<ConnectOptions>) {
    const open = this.transport === "ws" ? socketTo(addressOf({ url: await this.#probeServer() })) : starting(PROBING);
    const tap = new Tap(open);
    const client = await connect({ ...options, open: tap.open } as ConnectOptions);
    this.#clients.push(client);
    return { client, tap, shown: this.shown(tap.trace) };
  }
  /** A client of this very server. */
  async wireTo({ url }: Server, name = ""): Promise<Wire> {
    const client = await SocketClient.open(url);
    await client.request("initialize", INITIALIZE);
    const wire = new Wire(client, this.#excerpt, name);
    this.#wires.push(wire);
    return wire;
  }
  /** The arguments of an agent of this profile, without its transport. */
  args({ config = {}, flags = [] }: Pick<WireOptions, "config" | "flags"> = {}): string[] {
    const folder = join(this.house.root, "configs");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${Buffer.from(JSON.stringify(config)).toString("base64url").slice(0, 200)}.json`);
    writeFileSync(file, JSON.stringify(config));
    return ["--profile", this.profile, "--config", file, ...flags];
  }
  /** The server of this configuration. */
  server(options: Omit<WireOptions, "name" | "initialize"> = {}): Promise<Server> {
    const key = JSON.stringify(options);
    const start = (): Promise<Server> => startServer(this.house, this.args(options), { ...TRUST, ...options.env });
    if (options.own) return start();
    const known = this.#servers.get(key) ?? start();
    this.#servers.set(key, known);
    return known;
  }
  async leave(): Promise<void> {
    this.#probing?.kill();
    await this.house.leave();
  }

  async #client(initialize: object | null, options: WireOptions): Promise<Editor | SocketClient> {
    if (this.transport === "ws") {
      const client = await SocketClient.open((await this.server(options)).url);
      if (initialize !== null) await client.request("initialize", initialize);
      return client;
    }
    const start = async (): Promise<Editor> => {
      const editor = new Editor(this.house.troupe(["acp", ...this.args(options)], { ...TRUST, ...options.env }));
      editor.decide = () => undefined;
      if (initialize !== null) await editor.request("initialize", initialize);
      return editor;
    };
    if (options.own || initialize !== INITIALIZE) {
      const editor = await start();
      this.#own.push(editor);
      return editor;
    }
    const key = JSON.stringify(options);
    const known = this.#editors.get(key) ?? start();
    this.#editors.set(key, known);
    return known;
  }

  #probeServer(): Promise<string> {
    this.#probe ??= (async () => {
      const started = new Started([process.execPath, PROBE, "ws"], { cwd: this.cwd, env: this.house.env });
      this.#probing = started;
      return `ws://127.0.0.1:${await started.line(1)}`;
    })();
    return this.#probe;
  }

  async #clear(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    for (const { client } of this.#wires.splice(0)) {
      if (client instanceof SocketClient) client.ws.terminate();
      else {
        client.trace.length = 0;
        client.decide = () => undefined;
      }
    }
    for (const editor of this.#own.splice(0)) editor.agent.kill();
  }
}
