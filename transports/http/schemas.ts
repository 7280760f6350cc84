/** What goes over the API, as zod sees it: checked on its way in, documented on its way out. */
import { z } from "zod";
import { Permission } from "./step-schemas.ts";

const MAX_TEXT = 1024 * 1024;
/** No workflow declares more. */
const MAX_INPUTS = 256;

/** What is unknown here came out of JSON. */
const Value = z.union([
  z.string().max(MAX_TEXT),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);
export const Inputs = z
  .record(z.string(), Value)
  .refine((inputs) => Object.keys(inputs).length <= MAX_INPUTS, `expected at most ${MAX_INPUTS} inputs`)
  .describe("Values of the workflow's inputs by name.");
/** Inputs as the facade takes them: text, with what is no text as JSON. */
export const inputsOf = (inputs: z.output<typeof Inputs> | undefined): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(inputs ?? {}).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );

/** Absolute, here or on Windows; whether it is there, and absolute on this machine, the facade looks. */
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])/;
export const Cwd = z
  .string()
  .regex(ABSOLUTE, "expected an absolute path")
  .describe("An absolute path; where the server was started by default.");
export const Place = z.strictObject({ cwd: Cwd.optional() });

export const Fault = z.object({ code: z.string(), message: z.string() });
const Input = z.looseObject({ name: z.string(), type: z.string(), required: z.boolean() });
export const Summary = z.object({
  id: z.string(),
  scope: z.string().describe('"local", or the pack.'),
  workflow: z.string().describe("The name within its scope."),
  name: z.string(),
  description: z.string(),
  version: z.string().nullable(),
  source: z.string(),
  file: z.string().nullable(),
  inputs: z.array(Input),
  fault: Fault.nullable().describe("Set when the file cannot be run."),
});
export const Finding = z.looseObject({
  code: z.string(),
  severity: z.string(),
  message: z.string(),
  line: z.number(),
  column: z.number(),
});

export const RUN_STATES = [
  "running",
  "waiting",
  "interrupted",
  "parked",
  "completed",
  "failed",
  "cancelled",
  "skipped",
] as const;
export const Question = z.object({
  input: z.string().describe("Names it in an answer."),
  run: z.string(),
  step: z.string(),
  prompt: z.string(),
  said: z.string().describe("The last words before it."),
  form: z
    .looseObject({ at: z.number(), fields: z.array(z.looseObject({ name: z.string(), prompt: z.string() })) })
    .optional()
    .describe("Of an ask step: all that it asks, what was answered, and the number of the question that is asked now."),
});
export const Run = z.object({
  id: z.string(),
  session: z.string(),
  workflow: z.string(),
  cwd: z.string(),
  status: z.enum(RUN_STATES),
  exitCode: z.number().nullable(),
  error: Fault.nullable(),
  startedAt: z.number().describe("Milliseconds since the epoch."),
  endedAt: z.number().nullable(),
  firstSeq: z.number().describe("Where it begins in its session's log."),
  lastSeq: z.number().nullable().describe("Its last row, once it has ended."),
  startedBy: z.string().optional().describe("The name of the token that it was started with."),
  resumable: z.boolean(),
  questions: z.array(Question).describe("What a parked run waits for, oldest first."),
  permissions: z.array(Permission).describe("What is asked of somebody now, oldest first; `decide` answers."),
});
const Row = z.looseObject({ seq: z.number(), at: z.number(), type: z.string() });
export const Started = z.object({
  run: z.string(),
  session: z.string(),
  status: z.literal("accepted"),
  events: z.string().describe("Where its events are."),
});
export const Waits = Started.extend({
  status: z.literal("parked"),
  questions: z.array(Question).describe("What it waits for, oldest first; `answer` answers."),
});
export const StartedForAwf = Started.extend({
  body: z
    .object({ execution_id: z.string(), status: z.literal("accepted") })
    .describe("The same, as AWF's clients read it."),
});

const Consent = z
  .enum(["nobody", "ask"])
  .default("nobody")
  .describe(
    "Who is asked whether the directory is trusted: `nobody` (then the run is refused), or a client that decides.",
  );
const Budget = z
  .strictObject({
    cost_usd: z.number().positive().optional(),
    tokens: z.number().positive().optional(),
    agent_turns: z.int().positive().optional(),
    time: z
      .string()
      .regex(/^([1-9][0-9]{0,5}(ms|s|m|h))+$/, "expected a time, such as 30m or 1h30m")
      .optional()
      .describe("Such as 30m."),
  })
  .describe("What it may spend; other limits that hold for it stay, and the lowest counts.");
export type GivenBudget = z.output<typeof Budget>;
export const RunBody = z.strictObject({
  inputs: Inputs.optional(),
  cwd: Cwd.optional(),
  consent: Consent,
  budget: Budget.optional(),
});
export const StartBody = RunBody.extend({ workflow: z.string().min(1) });
export const ResumeBody = z.strictObject({
  recover: z
    .enum(["ask", "rerun", "fail"])
    .default("fail")
    .describe("What becomes of an attempt that a crash cut off, where its step leaves that open."),
  inputs: Inputs.optional().describe("Values of secret inputs, which no store holds."),
  budget: Budget.optional().describe("What a limit is from now on at which the run has stopped."),
});
export const RerunBody = z
  .strictObject({
    from: z
      .string()
      .min(1)
      .optional()
      .describe("The step to begin with; the results of those before it are taken over."),
    failed: z.boolean().default(false).describe("Begin with what failed; of a for_each only those rounds run again."),
    force: z.boolean().default(false).describe("Take over also what the workflow does otherwise now."),
    inputs: Inputs.optional().describe("Values in the place of those that the run had, and secret ones again."),
    consent: Consent,
    budget: Budget.optional().describe("In the place of the one that the earlier run had."),
  })
  .refine(({ from, failed }) => from === undefined || !failed, { error: "expected from or failed, not both" });
export const AnswerBody = z
  .strictObject({
    text: z.string().max(MAX_TEXT).optional().describe("Empty text ends a conversation."),
    values: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .optional()
      .describe(
        "In place of text: answers to several questions of an ask step, by name; those left out get their default.",
      ),
    question: z.string().optional().describe("The oldest one by default."),
    inputs: Inputs.optional(),
  })
  .refine(({ text, values }) => (text === undefined) !== (values === undefined), {
    error: "expected text or values, one of them",
  });
export const TellBody = z.strictObject({
  text: z.string().min(1).max(MAX_TEXT),
  step: z.string().optional().describe("Where several agents work."),
});
export const Told = z.object({
  tell: z.string(),
  run: z.string(),
  step: z.string(),
  reach: z.enum(["now", "next turn"]).describe("Whether its agent gets it while it works, or with its next turn."),
});
export const DecideBody = z.strictObject({
  permission: z.string().min(1),
  option: z.string().nullable().describe("One of the options that were offered; null: there is no one left to decide."),
});

/** `next`: null at the end. */
export const Rows = z.object({
  rows: z.array(Row),
  next: z.number().nullable().describe("The `after` of the next page; null at the end."),
});
export const Outline = z.object({
  firstSeq: z.number(),
  startedAt: z.number().describe("The time of the first row."),
  times: z.array(z.number()).describe("Of every row from `firstSeq` on: milliseconds after `startedAt`."),
  rows: z
    .array(Row)
    .describe("All but `message.assistant`, `message.thought`, `tool.call`, `tool.update`, `tool.result`."),
});
