/** Runs: what became of them, and what can still be said to them. */
import { z } from "zod";
import type { Session, Troupe } from "../../../actors/troupe.ts";
import { runRows } from "../../../projections/runs/run-rows.ts";
import { goesOn } from "../../../projections/runs/standing.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { FAILURE_LINES } from "../../../projections/terminal/failure-lines.ts";
import { budgetOf } from "../budget.ts";
import { type Endpoint, endpoint, type Params } from "../endpoint.ts";
import { RunsQuery } from "../queries.ts";
import {
  AnswerBody,
  DecideBody,
  inputsOf,
  RerunBody,
  ResumeBody,
  Run,
  Started,
  TellBody,
  Told,
  Waits,
} from "../schemas.ts";
import { Steps } from "../step-schemas.ts";
import { answerOf } from "../values.ts";
import { accepted, begun } from "./workflows.ts";

const runOf = ({ run = "" }: Params): string => run;
export async function sessionOf(troupe: Troupe, run: string): Promise<Session> {
  return await troupe.open((await troupe.status(run)).session);
}
/** A run that has ended is left as it is. */
export async function cancelRun(troupe: Troupe, id: string): Promise<boolean> {
  const { status, session } = await troupe.status(id);
  if (status === "completed" || status === "failed" || status === "cancelled" || status === "skipped") return false;
  await (await troupe.open(session)).cancel();
  return true;
}

export const runs: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/api/runs",
    id: "listRuns",
    tag: "Runs",
    summary: "The latest runs, newest first",
    query: RunsQuery,
    answers: { 200: { description: "The list", schema: z.object({ runs: z.array(Run) }) } },
    problems: [400],
    handle: async ({ troupe, query: { workflow, status, resumable, open, cwd, limit } }) => {
      const found = await troupe.history({
        ...(workflow === undefined ? {} : { workflow }),
        ...(status === undefined ? {} : { status }),
        ...(resumable === undefined ? {} : { resumable: resumable === "true" }),
        ...(open === undefined ? {} : { open: open === "true" }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(limit === undefined ? {} : { limit }),
      });
      return { status: 200, body: { runs: found } };
    },
  }),
  endpoint({
    method: "get",
    path: "/api/runs/{run}",
    id: "getRun",
    tag: "Runs",
    summary: "One run, with the questions that it waits for",
    answers: { 200: { description: "The run", schema: Run } },
    problems: [404],
    handle: async ({ troupe, params }) => ({ status: 200, body: await troupe.status(runOf(params)) }),
  }),
  endpoint({
    method: "get",
    path: "/api/runs/{run}/steps",
    id: "getSteps",
    tag: "Runs",
    summary: "The steps of a run as a tree, those at work now, and those that it failed of with their last lines",
    answers: { 200: { description: "The tree", schema: Steps } },
    problems: [404],
    handle: async ({ troupe, params }) => {
      const log = await troupe.log(runOf(params));
      const { id, status } = log.record;
      const fold = new RunFold(id);
      for (const row of runRows(log)) fold.see(row);
      const failed = status === "failed" ? fold.causes(FAILURE_LINES) : [];
      return { status: 200, body: { ...fold.tree(goesOn(status)), failed } };
    },
  }),
  endpoint({
    method: "post",
    path: "/api/runs/{run}/cancel",
    id: "cancelRun",
    tag: "Runs",
    summary:
      "Cancels it, also where another process runs it; one that has ended is left as it is, 409 where that process does not read",
    answers: { 202: { description: "It is being cancelled" }, 204: { description: "It had ended" } },
    problems: [400, 404, 409, 413],
    handle: async ({ troupe, params }) => ({ status: (await cancelRun(troupe, runOf(params))) ? 202 : 204 }),
  }),
  endpoint({
    method: "post",
    path: "/api/runs/{run}/resume",
    id: "resumeRun",
    tag: "Runs",
    summary: "Resumes an interrupted run; one that is parked goes on by its answer, and stays as it is",
    body: ResumeBody,
    answers: {
      200: { description: "It waits for an answer: nothing has begun", schema: Waits },
      202: { description: "It is running", schema: Started },
    },
    problems: [400, 404, 409, 413],
    handle: async ({ troupe, params, body: { recover, inputs, budget } }) => {
      const { budget: { limits } = {} } = await budgetOf(budget);
      const further = limits === undefined ? {} : { budget: limits };
      const { status, questions } = await troupe.status(runOf(params));
      const reply = accepted(await troupe.resume(runOf(params), { recover, inputs: inputsOf(inputs), ...further }));
      return status === "parked" ? { ...reply, status: 200, body: { ...reply.body, status, questions } } : reply;
    },
  }),
  endpoint({
    method: "post",
    path: "/api/runs/{run}/rerun",
    id: "rerunRun",
    tag: "Runs",
    summary: "Does a run again that has ended; 409 where what it takes over no longer fits, with what differs",
    body: RerunBody,
    answers: { 202: { description: "The new run has begun", schema: Started } },
    problems: [400, 403, 404, 409, 413, 422],
    handle: async ({ troupe, params, body: { from, failed, force, inputs, consent, budget } }) => {
      const begin = { ...(from === undefined ? {} : { from }), failed, force };
      const asked = { ...begin, inputs: inputsOf(inputs), consent, ...(await budgetOf(budget)) };
      const run = await troupe.rerun(runOf(params), asked);
      await Promise.race([begun(run), run.done]);
      return accepted(run);
    },
  }),
  endpoint({
    method: "post",
    path: "/api/runs/{run}/answer",
    id: "answerRun",
    tag: "Runs",
    summary:
      "Answers a question of a parked run; 400 where it takes no such answer, 409 where it was answered, or is not open",
    body: AnswerBody,
    answers: { 202: { description: "It is running", schema: Started } },
    problems: [400, 404, 409, 413],
    handle: async ({ troupe, params, body: { question, inputs, ...said } }) => {
      const named = question === undefined ? {} : { question };
      return accepted(await troupe.answer(runOf(params), { ...answerOf(said), ...named, inputs: inputsOf(inputs) }));
    },
  }),
  endpoint({
    method: "post",
    path: "/api/runs/{run}/tell",
    id: "tellRun",
    tag: "Runs",
    summary: "Says something to an agent of a run while it works; 409 where none does, or several and none is named",
    body: TellBody,
    answers: { 200: { description: "It was taken, and when its agent gets it", schema: Told } },
    problems: [400, 404, 409, 413],
    handle: async ({ troupe, params, body: { text, step = null } }) => {
      const run = runOf(params);
      return { status: 200, body: await (await sessionOf(troupe, run)).tell({ run, text, step }) };
    },
  }),
  endpoint({
    method: "post",
    path: "/api/sessions/{session}/decide",
    id: "decide",
    tag: "Runs",
    summary: "Decides an open permission by one of its options; 409 where it is not open",
    body: DecideBody,
    answers: { 204: { description: "It was decided" } },
    problems: [400, 404, 409, 413],
    handle: async ({ troupe, params, body: { permission, option } }) => {
      await (await troupe.open(params["session"] ?? "")).decide(permission, option);
      return { status: 204 };
    },
  }),
  endpoint({
    method: "post",
    path: "/api/runs/{run}/decide",
    id: "decideRun",
    tag: "Runs",
    summary: "Decides an open permission of a run",
    body: DecideBody,
    answers: { 204: { description: "It was decided" } },
    problems: [400, 404, 409, 413],
    handle: async ({ troupe, params, body: { permission, option } }) => {
      await (await sessionOf(troupe, runOf(params))).decide(permission, option);
      return { status: 204 };
    },
  }),
];
