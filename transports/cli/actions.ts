/** GitHub Actions around a command: what it sets in the environment of a job's step. */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import type { Environment } from "../../actors/troupe.ts";

/** `word`: ends the time in which the runner takes no commands; nothing that runs can guess it. */
export type Actions = {
  word: string;
  /** Adds Markdown to the summary of the job. Throws where the file cannot be written. */
  summary(text: string): void;
};

/** Null where no runner reads the output. */
export function actionsOf(env: Environment): Actions | null {
  if (env["GITHUB_ACTIONS"] !== "true") return null;
  const file = env["GITHUB_STEP_SUMMARY"] ?? "";
  return {
    word: `troupe-${randomUUID()}`,
    summary: (text) => {
      if (text !== "" && file !== "") appendFileSync(file, `${text}\n`);
    },
  };
}
