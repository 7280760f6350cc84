/** What an agent may do with the files of its session. */
import type { EditorWrite } from "../../base/editor-client.ts";
import type { MayReadSecret } from "./read.ts";
import type { Edit, WritePolicy } from "./write.ts";

/** Which files an agent may read and write, and who hears of it. */
export type FilePolicy = {
  /** Whether an edit is written: never, always, or as a review says. */
  write: WritePolicy;
  /** Hears of an edit that was reviewed and written. */
  written?: (edit: Edit) => void;
  /** Asked before a file is read that may hold secrets; without it such a file is not read. */
  readSecret?: MayReadSecret;
  /** Who writes in our place: an editor that shows the file. */
  editorWrite?: () => EditorWrite | undefined;
};
