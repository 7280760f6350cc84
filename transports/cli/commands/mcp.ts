/** `troupe mcp`: serves one MCP host on standard input and output until it hangs up. */
import { resolve } from "node:path";
import type { Environment } from "../../../actors/troupe.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { type McpFlags, settingsOf } from "../../mcp/settings.ts";
import { serveHost } from "../../mcp/stdio.ts";
import type { Io } from "../io.ts";
import { consoleTo } from "../quiet.ts";
import { reporterWith } from "../reporters.ts";
import { stopBetweenTurns } from "../suspend.ts";
import { version } from "../version.ts";

export async function mcp(
  { env, cwd: here, err, stream, onStop, exitNow }: Pick<Io, "env" | "cwd" | "err" | "stream" | "onStop" | "exitNow">,
  flags: McpFlags,
): Promise<number> {
  const log = (line: string): void => err(`troupe: ${safeLine(line)}\n`);
  const restore = consoleTo(log);
  const { createTroupe } = await import("../../../actors/troupe.ts");
  stopBetweenTurns();
  const report = await reporterWith(env);
  const given = report === undefined ? {} : { report };
  const troupe = createTroupe({ environment: withoutTrust(env), hearsCancels: true, ...given });
  // Asked to end, it ends what it started first; asked twice, it ends at once.
  let asked = 0;
  const forget = onStop((why) => {
    if (++asked > 1 && why !== "closed") exitNow(1);
    process.stdin.destroy();
  });
  const cwd = troupe.project(resolve(here, flags.cwd ?? "."));
  try {
    const host = { input: process.stdin, output: stream(), version, log };
    await serveHost({ troupe, cwd, environment: env, settings: settingsOf(flags) }, host);
    return 0;
  } finally {
    forget();
    await troupe.close();
    restore();
  }
}

/** A host's configuration may come from the repository: trust, in it or in agents, is the user's alone, and is in the store. */
export function withoutTrust({ TROUPE_TRUST: _, TROUPE_TRUST_AGENTS: __, ...rest }: Environment): Environment {
  return rest;
}
