/** `troupe history`: the runs of this project, or of this user, newest first. */
import { type HistoryQuery, projectFolder, type RunState } from "../../../actors/troupe.ts";
import { howToAnswer } from "../../../projections/terminal/question.ts";
import { runTable } from "../../../projections/terminal/tables.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

type HistoryArguments = { limit: number; workflow?: string; status?: string; resumable?: boolean; all?: boolean };

export const history = (
  { io, format }: CommandContext,
  { limit, workflow, status, resumable, all = false }: HistoryArguments,
): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const query: HistoryQuery = {
      limit,
      ...(all ? {} : { under: projectFolder(io.cwd) }),
      ...(workflow === undefined ? {} : { workflow }),
      ...(status === undefined ? {} : { status: status as RunState }),
      ...(resumable === true ? { resumable } : {}),
    };
    const runs = await troupe.history(query);
    if (format === "json") writeJson(io, runs);
    else if (runs.length === 0) {
      const isAny = workflow === undefined && status === undefined && resumable !== true;
      const none = isAny ? (all ? "No run has begun yet" : "No run has begun here yet") : "There is no such run";
      if (all) io.out(`${none}.\n`);
      else io.out(`${none}${isAny ? "" : " here"}. --all shows those of other folders.\n`);
    } else {
      writeLines(io, runTable(runs, io.now(), io));
      if (runs.some(({ questions }) => questions.length > 0)) io.out(`\nAnswer one: ${howToAnswer("<run>")}\n`);
      if (runs.some(({ permissions }) => permissions.length > 0)) io.out("\nDecide one: troupe decide <run>\n");
      // A crash has cut off its cancel, or it has not begun: `troupe status` says the same.
      if (runs.some(({ status, resumable }) => status === "interrupted" && !resumable))
        io.out("\nAn interrupted run that is not resumable does not go on; end it: troupe cancel <run>\n");
    }
    return 0;
  });
