/** `troupe resume`: goes on with an interrupted run; without an id it lists what can be resumed. */
import type { Troupe } from "../../../actors/troupe.ts";
import { resumeHeader, runTable } from "../../../projections/terminal/tables.ts";
import { follow } from "../follow.ts";
import { type Context, type Io, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

type Recover = Parameters<Troupe["resume"]>[1]["recover"];
type Asked = { run: string | null; recover: "rerun" | "fail" | null };

export const resume = (context: Context, { run, recover }: Asked): Promise<number> =>
  withTroupe(context.io, async (troupe) => {
    const { io, format } = context;
    if (run !== null) {
      // What was shown before the crash is not shown again.
      const { session, workflow, resumable } = await troupe.status(run);
      if (resumable && format === "text") writeLines(io, [resumeHeader({ workflow, id: run }, io)]);
      const head = (await troupe.open(session)).head();
      return follow(context, head, () => troupe.resume(run, { recover: recoverOf(io, recover) }));
    }
    const runs = await troupe.history({ resumable: true });
    if (format === "json") writeJson(io, runs);
    else if (runs.length === 0) io.out("There is nothing to resume.\n");
    else {
      writeLines(io, runTable(runs, io.now(), io));
      io.out("\nGo on with one of them: troupe resume <run>\n");
    }
    return 0;
  });

/** Without an answer given beforehand a person is asked; where nobody can be, a step that was cut off has failed. */
const recoverOf = ({ asks }: Pick<Io, "asks">, given: Asked["recover"]): Recover => given ?? (asks ? "ask" : "fail");
