/**
 * `/rerun` in a session: its last run, or the one that is named, done again. `/rerun failed`, `/rerun from=build`,
 * `/rerun run=1a2b force name=value`.
 *
 * I1. A workflow of that name is meant before it.
 */
import type { Prompt } from "../../../machines/contracts.ts";
import type { Key } from "../../../machines/model.ts";
import { fillArguments, readPrompt } from "../../../machines/prompt/prompt-text.ts";
import { isCommand, parseCommand } from "../../../machines/prompt/slash-command.ts";
import type { PromptRequest, RerunRequest } from "../../api/records.ts";
import type { Taken } from "../../attachments/take.ts";
import { troupeError } from "../../errors/troupe-error.ts";
import type { PromptSession } from "../../prompt/consent.ts";
import { explain } from "../../prompt/explain.ts";
import type { Runtime } from "../runtime.ts";
import { rerunIntent } from "./rerun.ts";

type Asked = {
  session: Key;
  request: Pick<PromptRequest, "consent">;
  taken: Pick<Taken, "blocks">;
  place: PromptSession;
  turn: string;
};
const NAME = "rerun";
const FLAGS: ReadonlySet<string> = new Set(["failed", "force"]);

/** Null where the prompt is another one. */
export async function rerunAsked(
  runtime: Runtime,
  { session, request, taken, place, turn }: Asked,
): Promise<Prompt["asks"] | null> {
  const prompt = readPrompt(taken.blocks);
  if (!prompt.ok || !isCommand(prompt.text)) return null;
  const parsed = parseCommand(prompt.text);
  if (!parsed.ok || parsed.name !== NAME) return null;
  if ((await runtime.catalogue.list(place.cwd)).some(({ id }) => id === NAME)) return null;
  const all = fillArguments(parsed.arguments, prompt.links);
  const given = new Map(all.flatMap((one) => ("name" in one ? [[one.name, one.value] as const] : [])));
  const words = all.flatMap((one) => ("text" in one ? one.text.trim().split(/\s+/) : []));
  const unknown = words.filter((word) => !FLAGS.has(word));
  if (unknown.length > 0) {
    const message = `/rerun knows no "${unknown[0]}": write failed, from=<step>, run=<id>, force, or name=value for an input`;
    return explain({ code: "USER.INPUT.INVALID_FORMAT", message });
  }
  const { run, from, ...inputs } = Object.fromEntries(given);
  const id = run ?? lastRun(runtime, session);
  if (id === null) {
    const message = "no run of this session has ended: there is nothing to do again";
    return explain({ code: "USER.RUN.NOT_RERUNNABLE", message });
  }
  const asked: RerunRequest = {
    ...(from === undefined ? {} : { from }),
    ...{ failed: words.includes("failed"), force: words.includes("force"), inputs, consent: request.consent },
  };
  try {
    return await rerunIntent(runtime, { ...asked, run: id }, { session, cwd: place.cwd, turn });
  } catch (error) {
    const { code, message } = troupeError(error);
    return explain({ code, message });
  }
}

/** The last one that has ended and that no other run called. */
function lastRun({ host }: Runtime, session: Key): string | null {
  for (const row of host.backwards(session, { types: ["run.completed"] }))
    if (row.run !== undefined && row.parentRun === undefined && host.runs.ended(row.run) !== undefined) return row.run;
  return null;
}
