/** `troupe acp`: serves one editor on standard input and output until it hangs up. */
import { serveAcp } from "../../acp/stdio.ts";
import type { Environment } from "../io.ts";
import { version } from "../version.ts";

const HANG_UP = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export async function acp(environment: Environment): Promise<number> {
  // Asked to end, it ends what it started first; asked twice, it ends at once.
  for (const signal of HANG_UP) process.once(signal, () => process.stdin.destroy());
  await serveAcp({
    input: process.stdin,
    output: process.stdout,
    version,
    open: async () => {
      const { createTroupe } = await import("../../../actors/troupe.ts");
      return createTroupe({ environment });
    },
  });
  return 0;
}
