/**
 * An MCP host for tests: the official client with a real `troupe mcp`, and a person who answers its forms.
 *
 * I1. What the server notifies is kept, in order.
 */
import { Client, type Progress } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { CallToolResult, ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/server";
import { encodeIdentity, identityOf } from "../../actors/process/identity.ts";
import { Editor } from "./acp-editor.ts";
import { type House, PROGRAM } from "./house.ts";

export const ERAS = ["legacy", "auto"] as const;
/** `legacy`: what hosts spoke in 2025. `auto`: what server and client know best. */
export type Era = (typeof ERAS)[number];
export type Person = (form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;
type HostOptions = {
  era?: Era;
  args?: readonly string[];
  env?: { [name: string]: string };
  /** Without one the host shows no forms. */
  person?: Person;
  changed?: () => void;
};
type Told = { run: string; status: string; [name: string]: unknown };

export const INFO = { name: "test-host", version: "1" };
export const said = (answer: string): ElicitResult => ({ action: "accept", content: { answer } });
export const decided = (decision: string): ElicitResult => ({ action: "accept", content: { decision } });

/** The user trusts the house's directory, in an editor, with the first run of one of its workflows. */
export async function trust(house: House, workflow: string): Promise<void> {
  const editor = new Editor(house.troupe(["acp"]));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  editor.decide = ({ options }) => options.find(({ kind }) => kind === "allow_always")?.optionId ?? null;
  await editor.prompt(session, `/${workflow}`);
  await editor.leave();
}

export class McpHost {
  readonly client: Client;
  /** What it was told of how far its calls are. */
  readonly progress: Progress[] = [];
  readonly forms: ElicitRequestFormParams[] = [];
  stderr = "";
  readonly #transport: StdioClientTransport;

  private constructor(house: House, { era = "auto", args = [], env = {}, person, changed }: HostOptions) {
    this.client = clientOf(era, person === undefined ? undefined : (form) => this.#ask(person, form), changed);
    this.#transport = new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, "mcp", ...args],
      env: { ...house.env, ...env },
      cwd: house.cwd,
      stderr: "pipe",
    });
    this.#transport.stderr?.on("data", (bytes: Buffer) => {
      this.stderr += bytes.toString();
    });
  }
  static async start(house: House, options: HostOptions = {}): Promise<McpHost> {
    const host = new McpHost(house, options);
    await host.client.connect(host.#transport);
    return host;
  }

  get pid(): number {
    return this.#transport.pid ?? 0;
  }
  /** What its server's children carry as their owner. */
  get owner(): string {
    const identity = identityOf(this.pid);
    if (identity === null) throw new Error("the server has ended");
    return encodeIdentity(identity);
  }
  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }
  async call(name: string, given: object = {}, signal?: AbortSignal): Promise<CallToolResult> {
    return await this.client.callTool(
      { name, arguments: { ...given } },
      { onprogress: (news) => this.progress.push(news), timeout: 120_000, ...(signal ? { signal } : {}) },
    );
  }
  /** The data of a call's result. */
  async told(name: string, given: object = {}): Promise<Told> {
    return (await this.call(name, given)).structuredContent as Told;
  }
  async read(uri: string): Promise<string> {
    const { contents } = await this.client.readResource({ uri });
    return (contents[0] as { text: string }).text;
  }
  async leave(): Promise<void> {
    await this.client.close();
  }
  /** Kills the server. */
  async kill(): Promise<void> {
    const gone = new Promise<void>((resolve) => {
      this.client.onclose = resolve;
    });
    process.kill(this.pid, "SIGKILL");
    await gone;
  }

  async #ask(person: Person, form: ElicitRequestFormParams): Promise<ElicitResult> {
    this.forms.push(form);
    return await person(form);
  }
}

/** A client of that time, with a person or without. */
export function clientOf(era: Era, person?: Person, changed?: () => void): Client {
  const client = new Client(INFO, {
    capabilities: person === undefined ? {} : { elicitation: { form: {} } },
    versionNegotiation: { mode: era },
    ...(changed === undefined ? {} : { listChanged: { tools: { onChanged: changed, debounceMs: 0 } } }),
  });
  if (person !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => person(params as ElicitRequestFormParams));
  return client;
}
