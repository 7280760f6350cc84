/** The words of `troupe resume`. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { RUN_WORDS } from "./look-options.ts";
import {
  budgetOption,
  FORMATS,
  type Format,
  type InputFlags,
  type Output,
  outputOption,
  quietOption,
  secretAgainOption,
} from "./options.ts";
import { trustAgentOption } from "./trust-options.ts";

type ResumeFlags = {
  format: Format;
  trustAgent: string[];
  recover?: "rerun" | "fail";
  answer?: string;
  input: InputFlags;
  budget?: string;
  output?: Output;
  trust?: boolean;
  detach?: boolean;
  engine?: string;
};

export function resumeCommand(program: Command, carry: CarryOut): void {
  program
    .command("resume")
    .description("resume an interrupted run or answer a parked one; without an id, list both")
    .addOption(new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"))
    .argument("[run]", RUN_WORDS)
    .addOption(
      new Option(
        "--recover <way>",
        "what to do with a step that a crash cut off, where the workflow does not say",
      ).choices(["rerun", "fail"]),
    )
    .addOption(secretAgainOption())
    .addOption(budgetOption("what a limit is from now on at which the run has stopped"))
    .option("--trust", "let the run go on in a directory that is not trusted")
    .addOption(trustAgentOption())
    .option("--answer <text>", "what a parked run waits for; an empty text ends a conversation")
    .addOption(outputOption())
    .addOption(quietOption())
    .option("--detach", "leave the run to a process in the background, which ends with it")
    .action(
      (
        run: string | undefined,
        {
          format,
          recover,
          answer,
          input,
          output,
          trustAgent,
          budget,
          trust = false,
          detach = false,
          engine,
        }: ResumeFlags,
      ) =>
        carry(format, async (context) => {
          const asked = {
            run: run ?? null,
            recover: recover ?? null,
            answer: answer ?? null,
            inputs: input,
            output,
            trustAgent,
            trust,
            budget: budget ?? null,
          };
          const fault = unheeded(asked);
          if (fault !== null) throw (await import("./failure.ts")).usage(fault);
          if (detach && engine !== undefined)
            throw (await import("./failure.ts")).usage(
              "--detach has no --engine: a run on an engine needs no process here",
            );
          if (!detach) return (await import("./commands/resume.ts")).resume(context, asked);
          return (await import("./commands/detach.ts")).detachResumed(context, { ...asked, budget });
        }),
    );
}

type Heeded = {
  run: string | null;
  answer: string | null;
  recover: string | null;
  budget: string | null;
  inputs: InputFlags;
};
/** Why an option would not be heeded: who gave it believes that it counts. Null where all are. */
function unheeded({ run, answer, recover, budget, inputs }: Heeded): string | null {
  const beside = [...(recover === null ? [] : ["--recover"]), ...(budget === null ? [] : ["--budget"])];
  if (answer !== null && beside[0] !== undefined)
    return `--answer answers a parked run: ${beside[0]} says nothing to it`;
  const [first] = [...beside, ...(Object.keys(inputs).length === 0 ? [] : ["--input"])];
  return run === null && first !== undefined ? `${first} needs the id of the run that goes on` : null;
}
