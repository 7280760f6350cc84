/** The steps of a run, and what it asks of a person, as the API answers with them. */
import { z } from "zod";

const Time = z.number().describe("Milliseconds since the epoch.");
const Failure = z.looseObject({ code: z.string(), message: z.string() });
const Usage = z
  .looseObject({
    tokens: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    costs: z.array(z.looseObject({ amount: z.number(), currency: z.string() })),
  })
  .describe("Of the step and everything below it.");

const Step = z.looseObject({
  address: z
    .string()
    .describe("Names the step: `fan/left`, `each[src/a.ts]/look`, below a call its caller's before it."),
  run: z.string().describe("The run that it is a step of: of a step below a call the called one."),
  path: z.string().describe("Its path there, as rows have it."),
  name: z.string(),
  kind: z.string().describe("As the workflow's file names it."),
  title: z.string(),
  round: z.number().nullable().describe("Of a loop's body, counted from 1."),
  item: z.string().nullable().describe("What its round is called after its item."),
  state: z.enum(["running", "waiting", "interrupted", "completed", "failed", "cancelled", "skipped"]),
  attempts: z.number(),
  startedAt: Time,
  endedAt: Time.nullable(),
  downMs: z.number().describe("How long of the time between no process ran it."),
  exitCode: z.number().nullable(),
  error: Failure.nullable(),
  halt: Failure.nullable().describe("Why it has stopped without an end, as at a budget."),
  usage: Usage,
  waitsFor: z
    .array(z.looseObject({ type: z.enum(["permission", "input"]), id: z.string(), text: z.string() }))
    .describe("What `decide` and `answer` take, by its `id`."),
  calls: z.looseObject({ run: z.string(), workflow: z.string() }).nullable().describe("The run that it has started."),
  steps: z
    .array(z.unknown())
    .describe("What is part of it, of the same form: branches, rounds, steps of the called workflow."),
});
const Lines = z.array(z.string());

export const Steps = z.object({
  steps: z.array(Step),
  current: z.array(z.string()).describe("Addresses of the steps at work."),
  usage: Usage,
  failed: z
    .array(
      Step.pick({
        address: true,
        run: true,
        path: true,
        kind: true,
        attempts: true,
        exitCode: true,
        error: true,
      }).extend({ stdout: Lines, stderr: Lines }),
    )
    .describe("What a failed run failed of, each with the last 15 lines that it wrote."),
});

export const Permission = z.looseObject({
  permission: z.string().describe("Names it in a decision."),
  run: z.string(),
  step: z.string().describe("Empty for the question whether the directory is trusted."),
  title: z.string(),
  kind: z.string().describe("Of the tool, as ACP has it."),
  tool: z.string().optional().describe("The name of the tool that an agent asks about."),
  message: z.string(),
  options: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string() })),
  input: z.unknown().optional().describe("What it is about."),
  edits: z
    .array(z.looseObject({ path: z.string() }))
    .optional()
    .describe("What would be written."),
  locations: z.array(z.looseObject({ path: z.string() })).optional(),
  timeoutMs: z.number().optional().describe("How long an answer is waited for; without it for ever."),
});
