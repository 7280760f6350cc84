/**
 * A run in a process of its own: `troupe run --detach` starts it and leaves, and `troupe resume --detach` one that goes on.
 *
 * I1. The run and its inputs come through a pipe: no input is in a command line or in a file.
 * I2. The process has no terminal. It ends with the run, or when everything left waits for an answer. Its starter may
 *     end: later output is lost, and that fails nothing.
 * I3. Its starter hears the run's id once the run has begun or asks a person, or why it did not begin.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { TroupeError, troupeError } from "../../actors/troupe.ts";
import type { Io } from "./io.ts";
import type { InputFlags } from "./options.ts";

/** The hidden option by which the program knows that it is the one in the background. */
const BACKGROUND = "--in-background";
type Given = { inputs: InputFlags; trust: boolean; budget?: string | undefined; trustAgent: readonly string[] };
export type RunOrder = Given & { workflow: string; allowMerge: boolean };
/** `recover`: who decides about a step that a crash cut off; null: a person, from elsewhere. */
export type ResumeOrder = Given & { run: string; recover: "rerun" | "fail" | null; answer: string | null };
export type Order = RunOrder | ResumeOrder;
type Refused = { code: string; message: string; details?: TroupeError["details"] };
type BackgroundAnswer = { run: string } | { error: Refused };

/** Answers the run's id and the process that has it; throws the error of one that did not begin (I3). */
export async function inBackground(
  { env, cwd }: Pick<Io, "env" | "cwd">,
  order: Order,
): Promise<{ run: string; pid: number }> {
  const [node, program = ""] = process.argv;
  const words = [...process.execArgv, program, "run", "-", BACKGROUND, "--format", "json"];
  const child = spawn(node ?? process.execPath, words, {
    ...{ cwd, detached: true, env: { ...env } },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  failed.catch(() => undefined); // it is raced below
  child.stdin.on("error", () => undefined); // one that has ended says why on its output
  child.stdin.end(JSON.stringify(order));
  const lines = createInterface({ input: child.stdout });
  try {
    const line = await Promise.race([firstOf(lines), failed]);
    const told = line === null ? null : (JSON.parse(line) as BackgroundAnswer);
    if (told !== null && "run" in told) return { run: told.run, pid: child.pid ?? 0 };
    throw told === null ? new Error("the process in the background ended without a word") : errorOf(told.error);
  } finally {
    lines.close();
    child.stdout.destroy();
    child.unref();
  }
}

/** Null where there is none. */
async function firstOf(lines: AsyncIterable<string>): Promise<string | null> {
  for await (const line of lines) return line;
  return null;
}

/** An error of the other process under its own code. */
function errorOf({ code, message, details }: Refused): TroupeError {
  const { code: known, message: words } = troupeError(Object.assign(new Error(message), { code }));
  return new TroupeError(known, words, details);
}
