/** The editor's side of a bridge. */
import type { Readable, Writable } from "node:stream";
import type { Take } from "../acp/input.ts";

export type BridgeEnds = {
  /** Begins to read the editor's bytes. */
  input: (take: Take) => Readable;
  output: Writable;
};
