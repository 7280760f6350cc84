/** What an agent is to be asked, where it is no whole screen that asks. A wish to stop ends what is waited for. */
import { addAbortSignal } from "node:stream";
import { usage } from "./failure.ts";
import type { Io } from "./io.ts";

/** Given with -p, typed line by line, or all of standard input as one. */
export async function* promptsOf(io: Io, { prompt }: { prompt: readonly string[] }): AsyncGenerator<string> {
  if (prompt.length > 0) return yield* prompt;
  const stopped = new AbortController();
  const unstop = io.onStop(() => stopped.abort());
  try {
    if (!io.asks) return yield* allOfIt(stopped.signal);
    for (;;) {
      const line = await io.readLine(stopped.signal);
      if (line === null) return;
      if (line.trim() !== "") yield line;
    }
  } finally {
    unstop();
  }
}

async function* allOfIt(signal: AbortSignal): AsyncGenerator<string> {
  const bytes: Buffer[] = [];
  try {
    for await (const chunk of addAbortSignal(signal, process.stdin)) bytes.push(chunk as Buffer);
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  const text = Buffer.concat(bytes).toString("utf8").trim();
  if (text === "") throw usage("there is no prompt: give one with -p, or on standard input");
  yield text;
}
