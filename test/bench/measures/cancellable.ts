/** One workflow for each kind of step that can be cancelled, and the text that shows that it runs. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const TERMINAL = "  done: {type: terminal}\n";
/** A command that ends on a signal, and one that ignores it, with a grandchild in a session of its own. */
const OBEYS = "echo under way; exec sleep 600";
const STUBBORN = `trap '' TERM HUP INT
      setsid sh -c 'while :; do sleep 1; done' &
      echo under way
      while :; do sleep 1; done`;
const command = (name: string, text: string, more = "on_success: done"): string =>
  `  ${name}:\n    type: command\n    command: |\n      ${text}\n    ${more}\n`;

export type Kind = {
  name: string;
  /** The workflow called `name`, and others beside it. */
  workflows: { readonly [name: string]: string };
  /** A text in a message of the agent as soon as there is something to cancel. */
  shows: string;
  /** Its process ignores the signal to end. */
  stubborn?: true;
  /** It is parked: its prompt has an answer, and the session is stopped. */
  parked?: true;
};
const kind = (name: string, states: string, more: Partial<Kind> & { beside?: Kind["workflows"] } = {}): Kind => {
  const { beside = {}, ...rest } = more;
  const workflow = `name: ${name}\nstates:\n  initial: a\n${states}${TERMINAL}`;
  return { name, shows: "under way", ...rest, workflows: { [name]: workflow, ...beside } };
};

/** `url`: a server that takes requests and answers none. */
export const kindsOf = (url: string): Kind[] => [
  kind("command", command("a", OBEYS)),
  kind("stubborn", command("a", STUBBORN), { stubborn: true }),
  kind(
    "agent",
    "  a:\n    type: agent\n    provider: understudy\n    prompt: go\n" +
      "    options: {script: [{say: under way}, {wait: until cancelled}]}\n    on_success: done\n",
  ),
  kind(
    "operation",
    `  a: {type: operation, operation: http.request, inputs: {method: GET, url: "${url}"}, on_success: done}\n`,
    { shows: '"tool_call"' },
  ),
  kind(
    "parallel",
    `  a: {type: parallel, parallel: [b, c], strategy: all_succeed, on_success: done}\n${command("b", OBEYS, "timeout: 1h")}${command("c", OBEYS, "timeout: 1h")}`,
  ),
  kind(
    "loop",
    `  a: {type: for_each, items: '["x", "y"]', body: [b], on_complete: done}\n${command("b", OBEYS, "on_success: a")}`,
  ),
  kind("call", "  a: {type: call_workflow, workflow: called, on_success: done}\n", {
    beside: { called: `name: called\nstates:\n  initial: a\n${command("a", OBEYS)}${TERMINAL}` },
  }),
  kind(
    "parked",
    "  a: {type: agent, provider: understudy, options: {prompt_as_script: true}, mode: conversation, prompt: Who are you?, on_success: done}\n",
    { parked: true },
  ),
  kind(
    "permission",
    "  a: {type: command, command: echo opened, approval: {message: May it run?}, on_success: done}\n",
    { shows: '"session/request_permission"' },
  ),
];

/** Takes requests and answers none. */
export class Silence {
  readonly #server: Server;
  readonly #waiting: (() => void)[] = [];
  #held = 0;
  private constructor(server: Server) {
    this.#server = server;
    server.on("request", () => {
      this.#held++;
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }
  static async open(): Promise<Silence> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Silence(server);
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }
  /** Resolves when this many requests have come. */
  async has(count: number): Promise<void> {
    while (this.#held < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
