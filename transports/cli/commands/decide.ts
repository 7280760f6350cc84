/**
 * `troupe decide`: answers what a run asks while it runs, in whichever process. Without an answer it asks on the
 * terminal, and without a terminal to ask on it shows what there is to decide. A parked run it answers, and carries on.
 * `-i` gives its secrets again: a process that has ended took them with it.
 *
 * I1. Who gives an answer beforehand gives it to one question: where several are open it is named.
 */
import { type RunRecord, type Troupe, TroupeError } from "../../../actors/troupe.ts";
import { asksMeanwhile, TAKES_LATER } from "../../../projections/runs/asking.ts";
import { runRows } from "../../../projections/runs/run-rows.ts";
import { secretInputs } from "../../../projections/runs/secret-inputs.ts";
import { standsAs } from "../../../projections/runs/standing.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { chosen, consentLines, optionOf } from "../../../projections/terminal/consent.ts";
import { howToDecide, parkedLines } from "../../../projections/terminal/question.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { usage } from "../failure.ts";
import { follow } from "../follow.ts";
import { withSecrets, withStdin } from "../given.ts";
import { type CommandContext, type Io, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { type InputFlags, outputOf } from "../options.ts";
import { withTroupe } from "../with-troupe.ts";

type Permission = RunRecord["permissions"][number];
type Asked = { run: string; answer: string | null; permission: string | null; inputs: InputFlags };
const MAX_TRIES = 3;
/** A run's first row stands among them, behind what was asked before it began. */
const FIRST_ROWS = 100;

export const decide = (context: CommandContext, { run: named, answer, permission, inputs }: Asked): Promise<number> =>
  withTroupe(context.io, async (troupe) => {
    const { io, format } = context;
    const run = await troupe.find(named, { cwd: io.cwd });
    const record = await troupe.status(run);
    const open = record.permissions.filter((one) => permission === null || one.permission === permission);
    const [question] = open;
    if (question === undefined && permission === null && record.questions.length > 0)
      return await words(context, troupe, record, { answer, inputs });
    if (question === undefined) throw nothingAsked(record, permission, await takesLater(troupe, record));
    if (Object.keys(inputs).length > 0)
      throw usage(`run "${run}" asks for a decision while it runs: --input says nothing to it`);
    if (answer === null && (!io.asks || format === "json")) {
      if (format === "json") writeJson(io, open);
      else for (const one of open) writeLines(io, [...consentLines(one, io), `  ${howToDecide(run, one)}`]);
      return 0;
    }
    if (answer !== null && open.length > 1)
      throw usage(
        `several questions are open: name one with --permission ${open.map((one) => one.permission).join(" or ")}`,
      );
    const option = answer === null ? await ask(io, question) : optionOf(question, answer);
    if (option === null)
      throw usage(`expected one of ${question.options.map(({ id }) => id).join(", ")}; nothing is decided`);
    await (await troupe.open(record.session)).decide(question.permission, option);
    if (format === "json") writeJson(io, { run, permission: question.permission, option });
    else io.out(`${safeLine(question.title)} Decided: ${safeLine(option)}. See troupe status ${run}\n`);
    return 0;
  });

/** What a parked run asks: it continues here with the answer, until it asks again or has ended. */
async function words(
  context: CommandContext,
  troupe: Troupe,
  record: RunRecord,
  { answer, inputs }: Pick<Asked, "answer" | "inputs">,
): Promise<number> {
  const { io, format } = context;
  const { id, session, questions } = record;
  if (answer === null && (!io.asks || format === "json")) {
    if (format === "json") writeJson(io, questions);
    else {
      const secrets = runRows(await troupe.log(id))
        .take(FIRST_ROWS)
        .flatMap((row) => secretInputs(row, id))
        .toArray();
      writeLines(io, parkedLines(id, questions, { ...io, words: true, secrets }));
    }
    return 0;
  }
  const after = (await troupe.open(session)).head();
  const options = { after, converses: answer === null, elsewhere: true, output: outputOf(undefined, io) };
  return await withSecrets(io, await withStdin(io, inputs), (given) =>
    follow(context, options, () =>
      answer === null
        ? troupe.resume(id, { recover: "ask", inputs: given })
        : troupe.answer(id, { text: answer, inputs: given }),
    ),
  );
}

/** Whether a step of it asks, and others are at work. */
async function takesLater(troupe: Troupe, { id, status }: RunRecord): Promise<boolean> {
  if (status !== "running") return false;
  const fold = new RunFold(id);
  for (const row of runRows(await troupe.log(id))) fold.see(row);
  return asksMeanwhile(fold.roots);
}

function nothingAsked({ id, status, resumable }: RunRecord, permission: string | null, isLater: boolean): TroupeError {
  const next = resumable ? `: troupe resume ${id} resumes it` : "";
  const nothing = isLater ? `${TAKES_LATER}: troupe status ${id} shows them` : "asks nothing now";
  const what = permission === null ? nothing : `does not ask "${permission}" now`;
  return new TroupeError("USER.FACADE.INPUT_REJECTED", `run "${id}" ${standsAs(status)} and ${what}${next}`, {
    run: id,
    status,
  });
}

async function ask(io: Io, question: Permission): Promise<string | null> {
  io.err(`${consentLines(question, { colours: io.errColours, columns: io.errColumns }).join("\n")}\n`);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const line = await io.readLine(new AbortController().signal);
    const option = line === null ? null : chosen(question, line);
    if (line === null || option !== null) return option;
    io.err("Answer with the number of an option, or y or n.\n");
  }
  return null;
}
