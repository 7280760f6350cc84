/**
 * The secret inputs that a run was given, as its first row names them: they are in no store, and a process that lets the
 * run go on is given them again.
 */
import type { Exchange } from "../../machines/exchange.ts";
import { isSecretName } from "../../machines/secret-name.ts";

/** Empty where the row is not the first one of this run. */
export const secretInputs = (row: Exchange, run: string): string[] =>
  row.type === "run.started" && row.run === run ? Object.keys(row.payload.inputs).filter(isSecretName) : [];
