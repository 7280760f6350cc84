/**
 * `troupe resume`: resumes an interrupted run, or answers a parked one; without an id it lists both.
 * An answer given with `--answer` is the only one: what the run asks next is left to the next call.
 */
import { givenBudget, type Troupe } from "../../../actors/troupe.ts";
import { howToAnswer } from "../../../projections/terminal/question.ts";
import { resumeHeader, runTable } from "../../../projections/terminal/tables.ts";
import { usage } from "../failure.ts";
import { follow } from "../follow.ts";
import { withSecrets, withStdin } from "../given.ts";
import { type CommandContext, type Io, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { type InputFlags, type Output, outputOf } from "../options.ts";
import { withTroupe } from "../with-troupe.ts";
import { decide } from "./decide.ts";
import { consentOf } from "./run.ts";

type Recover = Parameters<Troupe["resume"]>[1]["recover"];
type ResumeArguments = {
  run: string | null;
  recover: "rerun" | "fail" | null;
  answer: string | null;
  inputs: InputFlags;
  budget: string | null;
  output: Output | undefined;
  trustAgent: readonly string[];
  trust: boolean;
};

export const resume = (
  context: CommandContext,
  { run: named, recover, answer, inputs: asked, budget, output, trustAgent, trust }: ResumeArguments,
): Promise<number> =>
  withTroupe(
    context.io,
    async (troupe) => {
      const { io, format } = context;
      if (named !== null) {
        const run = await troupe.find(named, { cwd: io.cwd });
        const given = await withStdin(io, asked);
        const limits = budget === null ? {} : { budget: (await givenBudget(budget)).limits };
        const consent = consentOf(io, trust);
        // What was shown before the crash is not shown again.
        const { session, workflow, resumable, status } = await troupe.status(run);
        // Another process runs it and asks a person: that person can only be the one who resumes it here.
        if (status === "waiting") {
          if (recover !== null || budget !== null || Object.keys(given).length > 0)
            throw usage(
              `run "${run}" is running elsewhere and waits for a decision: --recover, --budget and --input say nothing to it`,
            );
          return decide(context, { run, answer, permission: null, inputs: {} });
        }
        const head = (await troupe.open(session)).head();
        const options = { after: head, converses: answer === null, output: outputOf(output, io) };
        if (status === "interrupted" && recover === null && budget === null && !io.asks)
          io.err(
            "troupe: there is no one to ask here: a step that a crash cut off fails, unless its workflow or --recover=rerun lets it run again\n",
          );
        const isHeaded = resumable && format === "text" && options.output !== "quiet";
        return await withSecrets(io, given, (inputs) =>
          follow(context, options, async () => {
            const begun = await (answer === null
              ? troupe.resume(run, { recover: recoverOf(io, recover), inputs, consent, ...limits })
              : troupe.answer(run, { text: answer, inputs, consent }));
            if (isHeaded)
              writeLines(io, [resumeHeader({ workflow, id: run, status: answer === null ? status : "running" }, io)]);
            return begun;
          }),
        );
      }
      if (answer !== null) throw usage("--answer needs the id of the run that is answered");
      const runs = [...(await troupe.history({ status: "waiting" })), ...(await troupe.history({ resumable: true }))];
      if (format === "json") writeJson(io, runs);
      else if (runs.length === 0) io.out("There is nothing to resume.\n");
      else {
        writeLines(io, runTable(runs, io.now(), io));
        io.out("\nGo on with one of them: troupe resume <run>\n");
        if (runs.some(({ questions }) => questions.length > 0)) io.out(`Answer one: ${howToAnswer("<run>")}\n`);
        if (runs.some(({ permissions }) => permissions.length > 0)) io.out("Decide one: troupe decide <run>\n");
      }
      return 0;
    },
    { trustAgents: trustAgent },
  );

/** Without an answer given beforehand a person is asked; without a person, a step that was cut off has failed. */
const recoverOf = ({ asks }: Pick<Io, "asks">, given: ResumeArguments["recover"]): Recover =>
  given ?? (asks ? "ask" : "fail");
