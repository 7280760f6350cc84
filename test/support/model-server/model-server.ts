/** The scripted model server in a process of its own, on a free port. See the README beside it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("server.mjs", import.meta.url));
/** An MCP server with one tool, `ping`. */
export const MCP_ECHO: string = fileURLToPath(new URL("mcp-echo.mjs", import.meta.url));

/** One request that the server saw, with what an assertion needs of it. */
export type ModelRequest = {
  method: string;
  path: string;
  status?: number;
  /** In the form of its API: Anthropic Messages, OpenAI Chat, OpenAI Responses or Gemini. */
  body: {
    system?: unknown;
    messages?: { role: string; content: unknown }[];
    instructions?: unknown;
    input?: { role?: string }[];
    systemInstruction?: unknown;
    contents?: unknown[];
    tools?: { name?: string; function?: { name: string }; functionDeclarations?: { name: string }[] }[];
  };
};

export type Reply = {
  text?: string;
  think?: string;
  calls?: { name: string; namespace?: string; args: object; freeform?: boolean }[];
  /** Milliseconds between two pieces. */
  delay?: number;
  /** An HTTP error in the place of an answer; with 429, the seconds after which it lets in again. */
  status?: number;
  retryAfter?: number;
  /** The tokens that are reported, in and out. */
  usage?: [number, number];
};

export class ModelServer {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Settles when it listens. */
  static async start(): Promise<ModelServer> {
    const child = spawn(process.execPath, [SERVER, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    return new ModelServer(child, (JSON.parse(line) as { url: string }).url);
  }

  /** The requests for an answer, in order; those for nothing but a title are left out. */
  async requests(): Promise<ModelRequest[]> {
    const all = (await (await fetch(`${this.url}/__log`)).json()) as ModelRequest[];
    return all.filter(({ path, body }) => ANSWERS.test(path) && (body.tools ?? []).length > 0);
  }

  /** The requests of an agent that offers no tools as well. */
  async all(): Promise<ModelRequest[]> {
    const all = (await (await fetch(`${this.url}/__log`)).json()) as ModelRequest[];
    return all.filter(({ path }) => ANSWERS.test(path));
  }

  /** Settles when the server has fallen silent in the middle of the next `[[hang]]`. */
  async hanging(): Promise<void> {
    await fetch(`${this.url}/__hanging`);
  }

  /** Forgets the requests, and the replies that were queued. */
  async reset(): Promise<void> {
    await fetch(`${this.url}/__log`, { method: "DELETE" });
    await fetch(`${this.url}/__script`, { method: "DELETE" });
  }

  /** Replies for the next requests, in order, before any tag counts. */
  async reply(...replies: Reply[]): Promise<void> {
    await fetch(`${this.url}/__script`, { method: "POST", body: JSON.stringify({ replies }) });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await gone;
  }
}

const ANSWERS = /\/(messages|completions|responses)(\?|$)|[gG]enerateContent/;
const isSystem = ({ role }: { role?: string }): boolean => role === "system" || role === "developer";

/** All that was said to the model in a request but its instructions, as one text. */
export const saidTo = ({ body: { messages = [], input = [], contents = [] } }: ModelRequest): string =>
  JSON.stringify([...[...messages, ...input].filter((one) => !isSystem(one)), ...contents]);

/** The instructions of a request, as one text. */
export const systemOf = ({ body }: ModelRequest): string =>
  JSON.stringify([
    body.system ?? body.instructions ?? body.systemInstruction ?? "",
    ...[...(body.messages ?? []), ...(body.input ?? [])].filter(isSystem),
  ]);

/** The names of the tools that were offered. */
export const toolsOf = ({ body }: ModelRequest): string[] =>
  (body.tools ?? []).flatMap((tool) =>
    (tool.functionDeclarations ?? [{ name: tool.function?.name ?? tool.name ?? "" }]).map(({ name }) => name),
  );
