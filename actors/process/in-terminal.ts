/**
 * A program that has this process's terminal to itself until it ends.
 *
 * I1. No shell is involved. What the person types reaches the program alone: an interrupt is its, not ours.
 */
import { spawn } from "node:child_process";
import type { ChildEnvironment } from "./environment.ts";

export type InTerminal = { argv: readonly [string, ...string[]]; cwd: string; env: ChildEnvironment };

/** Its exit code; null where a signal ended it. Throws where it cannot be started. */
export const runInTerminal = ({ argv: [file, ...args], cwd, env }: InTerminal): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const ignore = (): void => undefined;
    process.on("SIGINT", ignore);
    const child = spawn(file, args, { cwd, env, stdio: "inherit", shell: false });
    const end = (): void => void process.off("SIGINT", ignore);
    child.once("error", (error) => {
      end();
      reject(error);
    });
    child.once("exit", (code) => {
      end();
      resolve(code);
    });
  });
