/** The one error that crosses the facade: a stable code, a message that says what to do, and details as data. */
import type { Fault, Json } from "../../machines/model.ts";
import { type Code, isCode, UNMAPPED } from "./codes.ts";

export type Details = { [name: string]: Json };

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

/** What SQLite says of a disk that is full, or does not take what is written: SQLITE_IOERR and SQLITE_FULL. */
const NOT_WRITTEN = new Set([10, 13]);
const isNotWritten = (error: object): boolean =>
  "errcode" in error && typeof error.errcode === "number" && NOT_WRITTEN.has(error.errcode & 0xff);

/** An error of any kind as a `TroupeError`: one with a known code keeps it, everything else is unmapped. */
export function troupeError(error: unknown): TroupeError {
  if (error instanceof TroupeError) return error;
  if (typeof error === "object" && error !== null && "message" in error) {
    if (isNotWritten(error))
      return new TroupeError("SYSTEM.IO.WRITE_FAILED", `the store cannot be written: ${error.message}`, {}, error);
    const code = "code" in error ? String(error.code) : "";
    return new TroupeError(isCode(code) ? code : UNMAPPED, String(error.message), {}, error);
  }
  return new TroupeError(UNMAPPED, String(error), {}, error);
}

export const errorOf = ({ code, message }: Fault): TroupeError => troupeError({ code, message });
