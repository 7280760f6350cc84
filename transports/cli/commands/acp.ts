/** `troupe acp`: serves one editor on standard input and output until it hangs up. */
import { serveAcp } from "../../acp/stdio.ts";
import type { Environment } from "../io.ts";
import { version } from "../version.ts";

export async function acp(environment: Environment): Promise<number> {
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
