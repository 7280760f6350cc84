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
  body: { system?: unknown; messages?: { role: string; content: unknown }[]; tools?: { name: string }[] };
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
    return all.filter(({ path, body }) => path.includes("/messages") && (body.tools ?? []).length > 0);
  }

  /** Forgets the requests, and the replies that were queued. */
  async reset(): Promise<void> {
    await fetch(`${this.url}/__log`, { method: "DELETE" });
    await fetch(`${this.url}/__script`, { method: "DELETE" });
  }

  /** Replies for the next requests, in order, before any tag counts. */
  async reply(...replies: { text?: string; calls?: { name: string; args: object }[] }[]): Promise<void> {
    await fetch(`${this.url}/__script`, { method: "POST", body: JSON.stringify({ replies }) });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await gone;
  }
}

/** All that was said to the model in a request, as one text. */
export const saidTo = ({ body }: ModelRequest): string => JSON.stringify(body.messages ?? []);
