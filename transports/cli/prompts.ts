/** What an agent is to be asked, where it is no whole screen that asks. */
import { usage } from "./failure.ts";
import type { Io } from "./io.ts";

/** Given with -p, typed line by line, or all of standard input as one. */
export async function* promptsOf(io: Io, { prompt }: { prompt: readonly string[] }): AsyncGenerator<string> {
  if (prompt.length > 0) return yield* prompt;
  if (!io.asks) {
    const bytes: Buffer[] = [];
    for await (const chunk of process.stdin) bytes.push(chunk as Buffer);
    const text = Buffer.concat(bytes).toString("utf8").trim();
    if (text === "") throw usage("there is no prompt: give one with -p, or on standard input");
    return yield text;
  }
  for (;;) {
    const line = await io.readLine(new AbortController().signal);
    if (line === null) return;
    if (line.trim() !== "") yield line;
  }
}
