/** AWF's names for runs, with its bodies, so that its clients keep working. */
import { z } from "zod";
import { type RunRecord, TroupeError } from "../../../actors/troupe.ts";
import { type Endpoint, endpoint, type Params } from "../endpoint.ts";
import { MAX_LIMIT } from "../queries.ts";
import { Inputs, inputsOf } from "../schemas.ts";
import { answerOf } from "../values.ts";
import { cancelRun } from "./runs.ts";
import { accepted, acceptedForAwf } from "./workflows.ts";

const idOf = ({ id = "" }: Params): string => id;
const wrapped = (body: z.ZodType) => z.looseObject({ body });
const Execution = z.object({
  execution_id: z.string(),
  workflow_name: z.string(),
  status: z.string(),
  current_step: z.string(),
  started_at: z.string(),
  updated_at: z.string(),
});
const Accepted = wrapped(z.object({ execution_id: z.string(), status: z.literal("accepted") }));
const Resume = z.looseObject({ input_overrides: Inputs.optional(), from_step: z.enum(["", "current"]).optional() });
/** Go clients write the names of the fields as they stand in the struct. */
const Respond = z.looseObject({
  response: z.looseObject({ PromptID: z.string().optional(), Value: z.string() }),
});

/** AWF has one word for what has no end. */
const OPEN: ReadonlySet<string> = new Set(["running", "waiting", "parked", "interrupted"]);
const executionOf = ({ id, workflow, status, startedAt, endedAt, questions }: RunRecord) => ({
  execution_id: id,
  workflow_name: workflow,
  status: status === "completed" ? "success" : OPEN.has(status) ? "running" : status,
  current_step: questions[0]?.step ?? "",
  started_at: new Date(startedAt).toISOString(),
  updated_at: new Date(endedAt ?? startedAt).toISOString(),
});
const describe = { tag: "AWF" } as const;

export const executions: readonly Endpoint[] = [
  endpoint({
    ...describe,
    method: "get",
    path: "/api/executions",
    id: "listExecutions",
    summary: "Runs that have not ended",
    answers: { 200: { description: "The list", schema: wrapped(z.object({ executions: z.array(Execution) })) } },
    problems: [],
    handle: async ({ troupe }) => {
      const active = await troupe.history({ open: true, limit: MAX_LIMIT });
      return { status: 200, body: { body: { executions: active.map(executionOf) } } };
    },
  }),
  endpoint({
    ...describe,
    method: "get",
    path: "/api/executions/{id}",
    id: "getExecution",
    summary: "One run",
    answers: { 200: { description: "The run", schema: wrapped(Execution) } },
    problems: [404],
    handle: async ({ troupe, params }) => ({
      status: 200,
      body: { body: executionOf(await troupe.status(idOf(params))) },
    }),
  }),
  endpoint({
    ...describe,
    method: "delete",
    path: "/api/executions/{id}",
    id: "cancelExecution",
    summary: "Cancels it; one that is not there is no fault",
    answers: { 204: { description: "It is cancelled, or was not running" } },
    problems: [400, 409, 413],
    handle: async ({ troupe, params }) => {
      await cancelRun(troupe, idOf(params)).catch((error: unknown) => {
        if (!(error instanceof TroupeError) || error.code !== "USER.RUN.NOT_FOUND") throw error;
      });
      return { status: 204 };
    },
  }),
  endpoint({
    ...describe,
    method: "post",
    path: "/api/executions/{id}/resume",
    id: "resumeExecution",
    summary: "Resumes an interrupted run from where it was cut off; one that is parked goes on by its answer",
    body: Resume,
    answers: { 202: { description: "It is running, or waits for an answer", schema: Accepted } },
    problems: [400, 404, 409, 413],
    handle: async ({ troupe, params, body }) =>
      acceptedForAwf(
        accepted(await troupe.resume(idOf(params), { recover: "rerun", inputs: inputsOf(body.input_overrides) })),
      ),
  }),
  endpoint({
    ...describe,
    method: "post",
    path: "/api/executions/{id}/respond",
    id: "respondExecution",
    summary: "Answers a question; 400 where it takes no such answer, 409 where it was answered or is not open",
    body: Respond,
    answers: { 204: { description: "It was answered" } },
    problems: [400, 404, 409, 413],
    handle: async ({ troupe, params, body: { response } }) => {
      const question = response.PromptID ?? "";
      await troupe.answer(idOf(params), {
        ...answerOf({ text: response.Value }),
        ...(question === "" ? {} : { question }),
      });
      return { status: 204 };
    },
  }),
];
