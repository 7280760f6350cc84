/** What is said of `--frames-log` where no agent has spoken ACP: a file that is not there explains nothing. */
import { statSync } from "node:fs";
import type { Io } from "./io.ts";

const writtenAt = (file: string): number | null => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;

/** Look at the file now; what is answered is called when the run is over, and says on standard error that nothing was written. */
export function tellingNoFrames({ err }: Pick<Io, "err">, file: string | undefined): () => void {
  if (file === undefined) return () => undefined;
  const before = writtenAt(file);
  return () => {
    if (writtenAt(file) === before)
      err("troupe: --frames-log has nothing to write: no agent that speaks ACP took part in this run\n");
  };
}
