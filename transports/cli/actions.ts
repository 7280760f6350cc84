/** GitHub Actions around a command: what it sets in the environment of a job's step. */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import type { Environment } from "../../actors/troupe.ts";
import { safeLine } from "../../projections/terminal/safe.ts";

/** `word`: ends the time in which the runner takes no commands; nothing that runs can guess it. */
export type Actions = {
  word: string;
  /** Adds Markdown to the summary of the job. A file that cannot be written is said, and fails nothing. */
  summary(text: string): void;
};

/** Null where no runner reads the output. `err`: hears what cannot be done. */
export function actionsOf(env: Environment, err: (text: string) => void): Actions | null {
  if (env["GITHUB_ACTIONS"] !== "true") return null;
  const file = env["GITHUB_STEP_SUMMARY"] ?? "";
  return {
    word: `troupe-${randomUUID()}`,
    summary: (text) => {
      if (text === "" || file === "") return;
      try {
        appendFileSync(file, `${text}\n`);
      } catch (error) {
        err(`troupe: the summary of the job is lost: ${safeLine((error as Error).message)}\n`);
      }
    },
  };
}
