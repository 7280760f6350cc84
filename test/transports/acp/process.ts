/** `troupe acp` as a process: the built program in a directory of its own, and what was said on its pipes. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  type ClientApp,
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import type { Sent } from "../../support/acp-schema.ts";
import { compiled } from "../../support/compiled.ts";

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, "../../../dist/troupe.js");
const tap = join(here, "programs/tap.mjs");

const DEMO = `name: demo
inputs:
  - { name: task, type: string, required: true, description: what to do }
states:
  initial: build
  build:
    type: step
    command: echo one; echo two >&2
    on_success: fan
  fan:
    type: parallel
    parallel: [left, right]
    strategy: all_succeed
    on_success: say
  left:
    type: step
    command: echo left
  right:
    type: agent
    provider: understudy
    prompt: right
    options: { script: [{ say: "in my card" }] }
  say:
    type: agent
    provider: understudy
    prompt: "{{.inputs.task}}"
    options:
      script:
        - think: hm
        - say: { text: "Hello from the agent", chunks: 4 }
        - tool: { title: Read a, kind: read, output: "a's text", locations: [{ path: /w/a }] }
    on_success: done
  done: { type: terminal, status: success, message: "All done." }
`;
const SLOW = `name: slow
states:
  initial: wait
  wait:
    type: step
    command: echo started; echo $$ > pid; exec sleep 600
    on_success: done
  done: { type: terminal, status: success }
`;

export class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "troupe-acp-")));
  readonly cwd = join(this.folder, "work");
  readonly #traceFile = join(this.folder, "trace.ndjson");
  /** Of the place alone: no state, cache or settings of who runs the test. */
  readonly env: { [name: string]: string };
  readonly agent: readonly string[] = [process.execPath, tap, this.#traceFile, process.execPath, program, "acp"];
  readonly #children: ChildProcess[] = [];

  constructor() {
    const workflows = join(this.cwd, ".troupe/workflows");
    mkdirSync(workflows, { recursive: true });
    writeFileSync(join(workflows, "demo.yaml"), DEMO);
    writeFileSync(join(workflows, "slow.yaml"), SLOW);
    this.env = {
      PATH: process.env["PATH"] ?? "",
      HOME: this.folder,
      TROUPE_HOME: join(this.folder, "state"),
      ...compiled(),
    };
  }

  get trace(): Sent[] {
    if (!existsSync(this.#traceFile)) return [];
    const lines = readFileSync(this.#traceFile, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as Sent);
  }
  /** The process id that the workflow `slow` writes down. */
  get sleeper(): number | null {
    const file = join(this.cwd, "pid");
    const text = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
    return text === "" ? null : Number(text);
  }

  start(): ChildProcess {
    const [command = "", ...args] = this.agent;
    const child = spawn(command, args, { cwd: this.cwd, env: this.env, stdio: ["pipe", "pipe", "inherit"] });
    this.#children.push(child);
    return child;
  }

  remove(): void {
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export const exited = (child: ChildProcess): Promise<number | null> =>
  child.exitCode === null ? new Promise((resolve) => child.on("exit", resolve)) : Promise.resolve(child.exitCode);

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** The SDK's own client on a child's pipes. It allows whatever it is asked. */
export function connected<T>(
  child: ChildProcess,
  onUpdate: (notification: SessionNotification) => void,
  use: (context: ClientContext) => Promise<T>,
): Promise<T> {
  if (child.stdin === null || child.stdout === null) throw new Error("the child has no pipes");
  const app: ClientApp = client({ name: "test" })
    .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => ({
      outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
    }))
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params));
  const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  return app.connectWith(ndJsonStream(Writable.toWeb(child.stdin), output), use);
}
