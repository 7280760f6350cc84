/**
 * Tools for runs: few, since hosts cap their lists. Their names have three parts, which no workflow's name has.
 *
 * I1. An answer is for a parked run's question alone; a permission is decided here only where the server was started so.
 */
import { z } from "zod";
import { type RunRecord, TroupeError } from "../../../actors/troupe.ts";
import { RUN_STATUSES } from "../../../projections/mcp/tool.ts";
import { answerRun } from "../answers.ts";
import { followRun, resultOf } from "../follow.ts";
import { brokenWords, offer, untrusted } from "../offer.ts";
import type { McpServed } from "../served.ts";
import { cancelRun, standing } from "../standing.ts";
import { startRun } from "../start.ts";
import { ACTS, dataResult, type HostTool, hostTool, READS } from "./tool.ts";

const Run = z.string().max(200).describe("The id of the run.");
const MOST_LISTED = 50;

const summaryOf = ({ id, workflow, status, startedAt, endedAt }: RunRecord) => ({
  run: id,
  workflow,
  status,
  started_at: new Date(startedAt).toISOString(),
  ...(endedAt === null ? {} : { ended_at: new Date(endedAt).toISOString() }),
});

/** The latest runs of the served directory, newest first. */
export async function runsHere(
  { troupe, cwd }: McpServed,
  {
    status,
    workflow,
    limit,
  }: { status?: RunRecord["status"] | undefined; workflow?: string | undefined; limit: number },
): Promise<RunRecord[]> {
  return await troupe.history({
    ...{ own: true, cwd, limit },
    ...(status === undefined ? {} : { status }),
    ...(workflow === undefined ? {} : { workflow }),
  });
}

/** What an input of a workflow can be. Each has words of its own: without, they would be one `type` with a list, which not every host reads. */
const InputValue = z.union([
  z.string().describe("Text."),
  z.number().describe("A number."),
  z.boolean().describe("Yes or no."),
  z.null().describe("Not given."),
]);

const start = hostTool({
  name: "troupe_run_start",
  description: "Starts a run of a workflow and answers at once with its id; troupe_run_wait waits for its end.",
  input: z.strictObject({
    workflow: z.string().max(500).describe("The workflow's name, as in pack/workflow."),
    inputs: z.record(z.string(), InputValue).default({}).describe("Its inputs by name."),
  }),
  annotations: ACTS,
  call: async (served, { workflow, inputs }) => {
    const { isTrusted, workflows, broken } = await offer(served);
    const found = workflows.find(({ id }) => id === workflow);
    if (!isTrusted) throw new TroupeError("USER.TRUST.REQUIRED", untrusted(served.cwd));
    if (found === undefined) {
      const faulty = broken.find(({ id }) => id === workflow);
      const names = workflows.map(({ id }) => id).join(", ") || "none";
      const why = faulty === undefined ? `there are ${names}` : brokenWords(faulty);
      throw new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", `no workflow "${workflow}" is offered here: ${why}`);
    }
    return resultOf(served, await standing(served, await startRun(served, found, inputs)));
  },
});

const status = hostTool({
  name: "troupe_run_status",
  description: "Where a run stands: its status, what it waits for, and once it has ended its result.",
  input: z.strictObject({ run: Run }),
  annotations: READS,
  call: async (served, { run }) => ({ ...resultOf(served, await standing(served, run)), isError: false }),
});

const wait = hostTool({
  name: "troupe_run_wait",
  description: "Waits until a run has ended or waits for a person, but no longer than `seconds`.",
  input: z.strictObject({
    run: Run,
    seconds: z.number().min(0).max(3_600).optional(),
    permission: z.string().max(200).optional().describe("The id of an open permission: waits for its decision."),
  }),
  annotations: READS,
  call: async (served, { run, seconds, permission }, caller) => {
    const waitMs = seconds === undefined ? served.settings.waitMs : seconds * 1000;
    const { permissions } = (await standing(served, run)).record;
    const open = new Set(permissions.map((one) => one.permission));
    // Who names one has been told of all that are open: of several, the others are no news either.
    const past = permission !== undefined && open.has(permission) ? open : undefined;
    return await followRun(served, { run, caller, waitMs, responses: caller.context.mcpReq.inputResponses, past });
  },
});

const answer = hostTool({
  name: "troupe_run_answer",
  description: "Passes the user's answer on to a parked run, and waits for what comes of it. Ask the user first.",
  input: z.strictObject({
    run: Run,
    text: z.string().describe("The user's words; empty ends a conversation."),
    question: z.string().max(200).optional().describe("The id of the question; the oldest one by default."),
  }),
  annotations: ACTS,
  call: async (served, { run, text, question }, caller) => {
    const { inputResponses: responses } = caller.context.mcpReq;
    // A repeated call brings what a person said to the next question: this one's was passed on already.
    if (responses === undefined)
      await answerRun(served, run, { text, ...(question === undefined ? {} : { question }) });
    return await followRun(served, { run, caller, waitMs: served.settings.waitMs, responses });
  },
});

const tell = hostTool({
  name: "troupe_run_tell",
  description: "Passes the user's words on to an agent of a run while it works. Only what the user has said.",
  input: z.strictObject({
    run: Run,
    text: z.string().min(1).describe("The user's words."),
    step: z.string().max(500).optional().describe("Which step, where several agents work."),
  }),
  annotations: ACTS,
  call: async (served, { run, text, step = null }) => {
    const { session } = await standing(served, run);
    return dataResult({ ...(await session.tell({ run, text, step })) });
  },
});

const cancel = hostTool({
  name: "troupe_run_cancel",
  description: "Cancels a run and everything that it has started. One that has ended is left as it is.",
  input: z.strictObject({ run: Run }),
  annotations: { ...ACTS, idempotentHint: true, openWorldHint: false },
  call: async (served, { run }) => {
    await cancelRun(served, run);
    return { ...resultOf(served, await standing(served, run)), isError: false };
  },
});

const list = hostTool({
  name: "troupe_run_list",
  description: "The latest runs of this directory, newest first.",
  input: z.strictObject({
    status: z.enum(RUN_STATUSES).optional(),
    workflow: z.string().max(500).optional(),
    limit: z.int().min(1).max(MOST_LISTED).default(10),
  }),
  annotations: READS,
  call: async (served, query) => dataResult({ runs: (await runsHere(served, query)).map(summaryOf) }),
});

const decide = hostTool({
  name: "troupe_run_decide",
  description: "Passes the user's decision on an open permission of a run on to it. Ask the user first.",
  input: z.strictObject({ run: Run, permission: z.string().max(200), option: z.string().max(200) }),
  annotations: ACTS,
  call: async (served, { run, permission, option }, caller) => {
    await (await standing(served, run)).session.decide(permission, option);
    return await followRun(served, { run, caller, waitMs: served.settings.waitMs });
  },
});

export const runTools = ({ allowDecide }: { allowDecide: boolean }): readonly HostTool[] => [
  ...[start, status, wait, answer, tell, cancel, list],
  ...(allowDecide ? [decide] : []),
];
