/**
 * `troupe decide`: answers what a run asks while it runs, in whichever process. Without an answer it asks on the
 * terminal, and without a terminal to ask on it shows what there is to decide.
 *
 * I1. Who gives an answer beforehand gives it to one question: where several are open it is named.
 */
import { type RunRecord, TroupeError } from "../../../actors/troupe.ts";
import { chosen, consentLines, optionOf } from "../../../projections/terminal/consent.ts";
import { howToDecide } from "../../../projections/terminal/question.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { usage } from "../failure.ts";
import { type CommandContext, type Io, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

type Permission = RunRecord["permissions"][number];
type Asked = { run: string; answer: string | null; permission: string | null };
const MAX_TRIES = 3;

export const decide = ({ io, format }: CommandContext, { run: named, answer, permission }: Asked): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const run = await troupe.find(named, { cwd: io.cwd });
    const record = await troupe.status(run);
    const open = record.permissions.filter((one) => permission === null || one.permission === permission);
    const [question] = open;
    if (question === undefined) throw nothingAsked(record, permission);
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

function nothingAsked({ id, status, resumable }: RunRecord, permission: string | null): TroupeError {
  const next = resumable ? `: troupe resume ${id} resumes it` : "";
  const what = permission === null ? "asks nothing now" : `does not ask "${permission}" now`;
  return new TroupeError("USER.FACADE.INPUT_REJECTED", `run "${id}" is ${status} and ${what}${next}`, {
    run: id,
    status,
  });
}

async function ask(io: Io, question: Permission): Promise<string | null> {
  io.err(`${consentLines(question, { colours: io.errColours, columns: io.columns }).join("\n")}\n`);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const line = await io.readLine(new AbortController().signal);
    const option = line === null ? null : chosen(question, line);
    if (line === null || option !== null) return option;
    io.err("Answer with the number of an option, or y or n.\n");
  }
  return null;
}
