/**
 * The cause and the remedy of every code, in plain words: for `troupe error`, and for `docs/errors.md`.
 *
 * I1. There is one for each code of the table, and for no other: the compiler counts them.
 */
import type { Code } from "../codes.ts";
import { AGENT } from "./agent-advice.ts";
import { EXECUTION } from "./execution-advice.ts";
import type { Advice } from "./kinds.ts";
import { SERVE } from "./serve-advice.ts";
import { SYSTEM } from "./system-advice.ts";
import { USER } from "./user-advice.ts";
import { WORKFLOW } from "./workflow-advice.ts";

export const ADVICE: { readonly [code in Code]: Advice } = {
  ...USER,
  ...AGENT,
  ...SERVE,
  ...WORKFLOW,
  ...EXECUTION,
  ...SYSTEM,
};
