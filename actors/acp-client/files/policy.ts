/** What an agent may do with the files of its session. */
import type { EditorWrite } from "../../base/editor-client.ts";
import type { ReadPolicy } from "./read.ts";
import type { Edit, WritePolicy } from "./write.ts";

/** Which files an agent may read and write, and who hears of it. */
export type FilePolicy = ReadPolicy & {
  /** Whether an edit is written: never, always, or as a review says. */
  write: WritePolicy;
  /** Hears of an edit that was reviewed and written. */
  written?: (edit: Edit) => void;
  /** Who writes in our place: an editor that shows the file. */
  editorWrite?: () => EditorWrite | undefined;
};
