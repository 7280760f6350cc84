/** What a host reports of questions: by state of machines, never from memory. */
import { idOf } from "../../machines/model.ts";
import type { Node } from "../../machines/workflow/document.ts";
import type { QuestionReads } from "./reads.ts";
import { readingOf } from "./session-reads.ts";
import type { StorageReads } from "./storage.ts";

export function questionReads({ actors, log }: StorageReads): QuestionReads {
  return {
    inputs: (session) => {
      const snap = actors.snap(session);
      return snap === undefined ? [] : readingOf(snap).inputs.map(idOf);
    },
    permissions: (session) => actors.openPermissions(session).map(idOf),
    isAnswered: (session, input) => log.isAnswered(session, input),
    stepOf: (input) => {
      const birth = actors.birthAbove(`input/${input}`);
      return birth === undefined ? null : ((JSON.parse(birth) as { node?: Node }).node ?? null);
    },
  };
}
