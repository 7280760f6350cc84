/** `troupe trust`: the directories whose workflows run without a question, how one is added, and taken back. */
import { resolve } from "node:path";
import { safeLine, safeWord } from "../../../projections/terminal/safe.ts";
import { answersTable, approvedTable, trustTable } from "../../../projections/terminal/tables.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

export const listTrust = ({ io, format }: CommandContext): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const directories = await troupe.trusted();
    const own = await troupe.agents(io.cwd);
    const [agents, answers] = [await own.approved(), await own.answers()];
    if (format === "json") {
      writeJson(io, [...directories, ...agents, ...answers]);
      return 0;
    }
    if (directories.length === 0)
      io.out("No directory is trusted. The first run in one asks; troupe trust add <directory> trusts one.\n");
    else writeLines(io, trustTable(directories, io.now(), io));
    writeLines(io, approvedTable(agents, io.now(), io));
    writeLines(io, answersTable(answers, io.now(), io));
    return 0;
  });

export const addTrust = ({ io, format }: CommandContext, directory: string): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const added = await troupe.giveTrust(resolve(io.cwd, directory));
    if (format === "json") writeJson(io, added);
    else {
      writeLines(io, [
        `${safeLine(added.cwd)} is trusted: workflows there, and below, run without a question.`,
        `Back: troupe trust revoke ${safeWord(added.cwd)}`,
      ]);
    }
    return 0;
  });

export const revokeTrust = ({ io, format }: CommandContext, directory: string): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const revoked = await troupe.revokeTrust(resolve(io.cwd, directory));
    if (format === "json") writeJson(io, revoked);
    else {
      const { cwd, above, agents = 0 } = revoked;
      const rest = above === null ? "the next run there asks" : `but ${safeLine(above)} is, and covers it`;
      const more =
        agents === 0 ? [] : [`${agents === 1 ? "One agent asks" : `${agents} agents ask`} again there, or below.`];
      writeLines(io, [`${safeLine(cwd)} is no longer trusted: ${rest}.`, ...more]);
    }
    return 0;
  });

/** Answers for good about calls of tools: one by its name, or all of an agent. */
export const forgetAnswers = ({ io, format }: CommandContext, name: string): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const forgotten = await (await troupe.agents(io.cwd)).forget(name);
    if (format === "json") writeJson(io, forgotten);
    else {
      const many =
        forgotten.length === 1 ? "One answer no longer counts" : `${forgotten.length} answers no longer count`;
      writeLines(io, [`${many}: the next such call asks.`]);
    }
    return 0;
  });
