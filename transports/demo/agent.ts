/** Our own program in another process, serving ACP on its standard streams. It ends when its input does. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type Environment, TroupeError } from "../../actors/troupe.ts";
import type { Workspace } from "./workspace.ts";

export type Agent = {
  stdin: Writable;
  stdout: Readable;
  /** Closes its input; what does not end by itself soon is ended. */
  hangUp(): void;
  /** Its exit code; null where it was killed or never began. */
  ended: Promise<number | null>;
};

const PATIENCE_MS = 8_000;

export function startAgent({ cwd, home }: Workspace, environment: Environment): Agent {
  const entry = process.argv[1];
  if (entry === undefined)
    throw new TroupeError("USER.CLI.USAGE", "the demo has to know the program's own file, and there is none");
  // What it does is asked about, and stays on this machine.
  const { TROUPE_TRUST: _, TROUPE_ENGINE: __, ...env } = environment;
  const child: ChildProcess = spawn(process.execPath, [...process.execArgv, entry, "acp"], {
    cwd,
    env: { ...env, TROUPE_HOME: home },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new TroupeError("SYSTEM.PROCESS.LOST", "the agent has no pipes");
  stdin.on("error", () => undefined);
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", (code) => resolve(code));
  }).finally(() => clearTimeout(timer));
  return {
    stdin,
    stdout,
    ended,
    hangUp() {
      stdin.end();
      timer ??= setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      timer.unref();
    },
  };
}
