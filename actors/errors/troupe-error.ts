/** The one error that crosses the facade: a stable code, a message that says what to do, and details as data. */
import type { Fault, Json } from "../../machines/model.ts";
import { type Code, isCode, UNMAPPED } from "./codes.ts";
import { codeOfErrno, codeOfSqlite, isOfOtherTables, temporaryFault, watchFault } from "./system.ts";
import { thrownWords } from "./thrown.ts";

export type Details = { [name: string]: Json };

/**
 * The error of every call: `code` never changes its meaning, `message` says what to do.
 * @example if (error instanceof TroupeError) console.error(error.code, error.details);
 */
export class TroupeError extends Error {
  override readonly name = "TroupeError";
  readonly code: Code;
  /** The file, line, field or id that the error is about. */
  readonly details: Details;

  constructor(code: Code, message: string, details: Details = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

const OF_STORE: { [code in Code]?: string } = {
  "SYSTEM.IO.WRITE_FAILED": "the store cannot be written",
  "SYSTEM.STORE.BUSY": "another process locks the store: end it, wake it where it is stopped, or try again",
  "SYSTEM.STORE.UNUSABLE":
    "the store cannot be used: look at the rights of its files and of their folder (`troupe doctor` names it), or set TROUPE_HOME to a folder that can be written",
  "SYSTEM.STORE.DAMAGED": "the store is damaged: move it away, or put a copy of yours back",
};

const OF_OTHER_TABLES =
  "the store's tables are not those of this version. Where a newer Troupe has opened it meanwhile, end this process and start it again; else the store is damaged: put a copy of yours back";

const OF_ERRNO: { [code in Code]?: string } = {
  "SYSTEM.IO.TOO_MANY_FILES": "raise the limit of open files (`ulimit -n`), or do less at once",
};

/** An error of any kind as a `TroupeError`: one with a known code keeps it, everything else is unmapped. */
export function troupeError(error: unknown): TroupeError {
  if (error instanceof TroupeError) return error;
  if (typeof error === "object" && error !== null && "message" in error) {
    const ofStore = codeOfSqlite(error);
    if (ofStore !== null) {
      const words = isOfOtherTables(error) ? OF_OTHER_TABLES : OF_STORE[ofStore];
      return new TroupeError(ofStore, `${words}: ${error.message}`, {}, error);
    }
    const known = temporaryFault(error) ?? watchFault(error);
    if (known !== null) return new TroupeError(known.code, known.message, {}, error);
    const given = "code" in error ? String(error.code) : "";
    if (isCode(given)) return new TroupeError(given, String(error.message), {}, error);
    const code = codeOfErrno(given) ?? UNMAPPED;
    const advice = OF_ERRNO[code];
    return new TroupeError(code, `${error.message}${advice === undefined ? "" : `: ${advice}`}`, {}, error);
  }
  return new TroupeError(UNMAPPED, thrownWords(error), {}, error);
}

export const errorOf = ({ code, message }: Fault): TroupeError => troupeError({ code, message });
