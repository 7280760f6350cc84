/**
 * How a command fails: one line for a person, or one object for a program, and an exit code from the table of codes.
 *
 * I1. A stack is shown only with TROUPE_DEBUG.
 */
import { type Environment, facesOf, TroupeError, troupeError } from "../../actors/looking.ts";
import { paint } from "../../projections/terminal/paint.ts";
import { safeJson, safeLines, safeText } from "../../projections/terminal/safe.ts";
import type { Format } from "./options.ts";

const UNFOUND = "USER.FACADE.WORKFLOW_NOT_FOUND";
/** What to do, where the message itself names no command for it. */
const ADVICE: { readonly [code: string]: string } = {
  "USER.TRUST.REQUIRED": "read the workflow, then run it again with --trust",
  "USER.TRUST.REFUSED": "nothing was run; run it again to be asked again",
  [UNFOUND]: "see `troupe list`",
  "USER.RUN.NOT_FOUND": "see `troupe history`",
  "USER.RUN.NOT_RESUMABLE": "see `troupe resume` for the runs that can be resumed",
  "USER.INPUT.MISSING": "give inputs as `-i name=value`; see `troupe list`",
  "USER.INPUT.UNKNOWN": "see `troupe list` for the inputs of a workflow",
  "WORKFLOW.VALIDATION.FAILED": "see `troupe validate` for all findings",
  "SYSTEM.INTERNAL.UNMAPPED": "this is a fault of troupe: TROUPE_DEBUG=1 shows where",
};

const COMMAND = /\btroupe [a-z]/;

type Sinks = {
  out(text: string): void;
  err(text: string): void;
  errColours: boolean;
  env: Environment;
};

/** Says what went wrong; returns the exit code. */
export function fail(error: unknown, sinks: Sinks, format: Format): number {
  const { code, message, details, cause, stack } = troupeError(error);
  if (format === "json") sinks.out(`${safeJson(JSON.stringify({ error: { code, message, details } }))}\n`);
  // A list of this folder shows neither what stands in another nor the file of a path.
  else {
    const isElsewhere = details["folder"] !== undefined || (code === UNFOUND && details["file"] !== undefined);
    sinks.err(textOf(code, message, { colours: sinks.errColours, isAdvised: !isElsewhere }));
  }
  if (sinks.env["TROUPE_DEBUG"]) sinks.err(`${safeText((cause instanceof Error ? cause.stack : stack) ?? "")}\n`);
  return facesOf(code).exit;
}

function textOf(
  code: string,
  message: string,
  { colours, isAdvised }: { colours: boolean; isAdvised: boolean },
): string {
  const { dim, red } = paint(colours);
  const advice = isAdvised && Object.hasOwn(ADVICE, code) && !COMMAND.test(message) ? ` ${ADVICE[code]}` : "";
  const [first = "", ...rest] = safeLines(message);
  const more = rest.map((line) => `  ${line}\n`).join("");
  return `${red("troupe:")} ${first}\n${more}${dim(`  [${code}]${advice}`)}\n`;
}

export const usage = (message: string): TroupeError => new TroupeError("USER.CLI.USAGE", message);
