/** What a run on a terminal will lack, said beforehand, on standard error. */
import type { Finding, Troupe } from "../../actors/troupe.ts";
import { refusalLines } from "../../projections/terminal/findings.ts";
import type { Io } from "./io.ts";

/** Servers that only an editor could bring. */
export async function tellLacking(io: Pick<Io, "err" | "cwd">, troupe: Troupe, workflow: string): Promise<void> {
  const { findings } = await troupe.validate(io.cwd, workflow);
  // With an error in it nothing is run: that is reported alone.
  if (findings.some(({ severity }) => severity === "error")) return;
  for (const { code, path, message } of findings) {
    if (code !== "USER.MCP_PROXY.UNKNOWN_PLUGIN") continue;
    io.err(`! ${path}: ${message}, and no editor brings a server of this name here: the step will fail\n`);
  }
}

/** What a run that begins here and now would be refused for, beyond faults of its file. */
export function tellRefused(io: Pick<Io, "err">, findings: readonly Finding[]): void {
  for (const line of refusalLines(findings)) io.err(`${line}\n`);
}
