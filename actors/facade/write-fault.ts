/** What is said of a log that cannot be written: what it is, and what to do. */
import type { Code } from "../errors/codes.ts";
import { codeOfSqlite } from "../errors/system.ts";
import { TroupeError } from "../errors/troupe-error.ts";

const ADVICE: { [code in Code]?: (file: string) => string } = {
  "SYSTEM.IO.WRITE_FAILED": (file) => `. Make room on the disk of ${file}, or look at the rights of its folder`,
  "SYSTEM.STORE.UNUSABLE": (file) => `. Look at the rights of ${file} and of its folder`,
};

/** `file`: the store's. */
export function writeFault(error: unknown, file: string): TroupeError {
  const isOurs = error instanceof TroupeError;
  const code = isOurs ? error.code : (codeOfSqlite(error) ?? "SYSTEM.IO.WRITE_FAILED");
  const why = error instanceof Error ? error.message : String(error);
  const advice = isOurs ? "" : (ADVICE[code]?.(file) ?? "");
  return new TroupeError(code, `the log cannot be written: ${why}${advice}`, { file }, error);
}
