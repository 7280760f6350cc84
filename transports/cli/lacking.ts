/** What a run on a terminal will lack: servers that only an editor could bring. Said beforehand, on standard error. */
import type { Troupe } from "../../actors/troupe.ts";
import type { Io } from "./io.ts";

export async function tellLacking(io: Pick<Io, "err" | "cwd">, troupe: Troupe, workflow: string): Promise<void> {
  const { findings } = await troupe.validate(io.cwd, workflow);
  // With an error in it nothing is run: that is reported alone.
  if (findings.some(({ severity }) => severity === "error")) return;
  for (const { code, path, message } of findings) {
    if (code !== "USER.MCP_PROXY.UNKNOWN_PLUGIN") continue;
    io.err(`! ${path}: ${message}, and no editor brings a server of this name here: the step will fail\n`);
  }
}
