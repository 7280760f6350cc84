/**
 * What a program says to one short question. It gets nothing to read, little time, and is ended when it takes longer.
 */
import { execFile } from "node:child_process";
import type { ChildEnvironment } from "./environment.ts";

const MAX_BYTES = 64 * 1024;

export type AskedProgram = {
  path: string;
  args: readonly string[];
  env: ChildEnvironment;
  cwd: string;
  limitMs: number;
};

/** Its output and errors in one; null where it was not started, was ended, or said too much. */
export const askProgram = ({ path, args, env, cwd, limitMs }: AskedProgram): Promise<string | null> =>
  new Promise((resolve) => {
    const options = { env, cwd, timeout: limitMs, killSignal: "SIGKILL", maxBuffer: MAX_BYTES } as const;
    const child = execFile(path, [...args], options, (error, stdout, stderr) => {
      const isOver = error === null || (typeof error.code === "number" && error.killed !== true);
      resolve(isOver ? stdout + stderr : null);
    });
    child.stdin?.on("error", () => undefined).end();
  });
