/** `troupe acp`: serves one editor on standard input and output until it hangs up. */
import type { Readable } from "node:stream";
import { readStdin } from "../../acp/input.ts";
import { serveAcp } from "../../acp/stdio.ts";
import type { Environment } from "../io.ts";
import { version } from "../version.ts";

const HANG_UP = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export async function acp(environment: Environment): Promise<number> {
  let input: Readable | undefined;
  // Asked to end, it ends what it started first; asked twice, it ends at once.
  for (const signal of HANG_UP) process.once(signal, () => input?.destroy());
  await serveAcp({
    input: (take) => {
      input = readStdin(take);
      return input;
    },
    output: process.stdout,
    version,
    open: async () => {
      const { createTroupe } = await import("../../../actors/troupe.ts");
      return createTroupe({ environment });
    },
  });
  return 0;
}
