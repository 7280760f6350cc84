/** The SDK's own client on a `troupe acp`, with a handler for every method of a client, and the trace of both sides. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { type AnyMessage, type ClientContext, client, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import type { Sent } from "./acp-schema.ts";
import { type House, PROGRAM } from "./house.ts";

const { fs, terminal, elicitation, session } = methods.client;
/** What an editor does that is asked: it writes nothing and runs nothing, but says so. */
const TERMINAL = { terminalId: "terminal-1" };
const FORM = { action: "accept", content: { who: "form" } } as const;

/**
 * Runs `use` with a connected client; every handler is there, whatever the client will say that it can do. Then it hangs
 * up, and the agent has to end well.
 */
export async function withSdk(
  house: House,
  args: readonly string[],
  env: { [name: string]: string },
  use: (context: ClientContext, trace: Sent[]) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, "acp", ...args], {
    cwd: house.cwd,
    env: { ...house.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const trace: Sent[] = [];
  const noting = (from: Sent["from"]) =>
    new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        trace.push({ from, message: { ...message } });
        controller.enqueue(message);
      },
    });
  const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  const { readable, writable } = ndJsonStream(Writable.toWeb(child.stdin), output);
  const out = noting("client");
  void out.readable.pipeTo(writable).catch(() => undefined);
  const app = client({ name: "editor" })
    .onRequest(session.requestPermission, ({ params: { options } }) => ({
      outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
    }))
    .onRequest(fs.readTextFile, () => ({ content: "" }))
    .onRequest(fs.writeTextFile, () => ({}))
    .onRequest(elicitation.create, () => FORM)
    .onRequest(terminal.create, () => TERMINAL)
    .onRequest(terminal.waitForExit, () => ({ exitCode: 0 }))
    .onRequest(terminal.output, () => ({ output: "from the editor\n", truncated: false, exitStatus: { exitCode: 0 } }))
    .onRequest(terminal.kill, () => ({}))
    .onRequest(terminal.release, () => ({}))
    .onNotification(session.update, () => undefined);
  const stream = { readable: readable.pipeThrough(noting("agent")), writable: out.writable };
  try {
    await app.connectWith(stream, (context) => use(context, trace));
  } finally {
    child.stdin.end();
    await ended;
  }
  if (child.exitCode !== 0) throw new Error(`the agent ended with ${child.exitCode ?? child.signalCode}`);
}
