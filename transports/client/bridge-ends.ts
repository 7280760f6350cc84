/** The editor's side of a bridge. */
import type { Readable, Writable } from "node:stream";
import type { Take } from "../acp/input.ts";

export type BridgeEnds = {
  /** Begins to read the editor's bytes. */
  input: (take: Take) => Readable;
  output: Writable;
};

/** Resolves once the output takes more, or takes nothing any more. */
export function free(output: Writable): Promise<void> {
  if (!output.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const events = ["drain", "error", "close"];
    const done = (): void => {
      for (const event of events) output.off(event, done);
      resolve();
    };
    for (const event of events) output.on(event, done);
  });
}
