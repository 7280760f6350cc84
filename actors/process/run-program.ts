/**
 * A program of the system that is run to its end: what it is given to read, and all that it wrote, as bytes.
 *
 * I1. One that cannot be started is an end like others.
 */
import { execFile } from "node:child_process";
import type { ChildEnvironment } from "./environment.ts";

const MAX_BYTES = 512 * 1024 * 1024;

export type RunProgram = {
  path: string;
  args: readonly string[];
  env: ChildEnvironment;
  cwd: string;
  input?: string;
  /** It is killed when it takes longer, in milliseconds. */
  limitMs?: number;
};
/** `code`: 127 where it was not started, 128 where it was ended from outside. */
export type ProgramEnd = { code: number; stdout: Buffer; stderr: string };

/** Runs it to its end; it is ended from here where it has a limit alone. */
export const runProgram = ({ path, args, env, cwd, input, limitMs = 0 }: RunProgram): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    const options = {
      env,
      cwd,
      maxBuffer: MAX_BYTES,
      encoding: "buffer",
      timeout: limitMs,
      killSignal: "SIGKILL",
    } as const;
    const child = execFile(path, [...args], options, (error, stdout, stderr) => {
      const code =
        error === null ? 0 : typeof error.code === "number" ? error.code : error.code === "ENOENT" ? 127 : 128;
      const said = stderr.toString();
      resolve({ code, stdout, stderr: said === "" && error !== null ? error.message : said });
    });
    child.stdin?.on("error", () => undefined).end(input ?? "");
  });
