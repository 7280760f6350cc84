/** What can be run, and running it. The paths are AWF's; `body` holds what its clients read where that has other names. */
import { filter, firstValueFrom, takeUntil } from "rxjs";
import { z } from "zod";
import {
  type Consent,
  type Frame,
  type Run,
  shownWorkflow,
  type Troupe,
  type Validation,
  type WorkflowSummary,
} from "../../../actors/troupe.ts";
import { inSeq } from "../../../projections/shared/in-seq.ts";
import { budgetOf } from "../budget.ts";
import { type Endpoint, endpoint, type Params, type Reply } from "../endpoint.ts";
import { checked, identifierOf, partsOf } from "../identifier.ts";
import { problem } from "../problem.ts";
import {
  Finding,
  type GivenBudget,
  type Inputs,
  inputsOf,
  Place,
  RunBody,
  StartBody,
  Started,
  StartedForAwf,
  Summary,
} from "../schemas.ts";

const Wrapped = z.looseObject({ body: z.unknown().describe("The same, as AWF's clients read it.") });
const Read = z.looseObject({
  findings: z.array(Finding),
  workflow: z.unknown().describe("The document; null where it cannot be used."),
});
const LeftOut = z.array(z.string()).describe("What the list leaves out, and why.");

const summaryOf = (one: WorkflowSummary) => ({ ...one, ...partsOf(one.id) });
const errorsOf = ({ findings }: Validation) => findings.filter(({ severity }) => severity === "error");

/** Starts a run; the answer comes when it has begun, or when it waits for consent. Throws what kept it from beginning. */
export async function startRun(
  troupe: Troupe,
  {
    cwd,
    workflow,
    inputs,
    consent,
    budget,
  }: {
    cwd: string;
    workflow: string;
    inputs?: z.output<typeof Inputs> | undefined;
    consent: Consent;
    budget?: GivenBudget | undefined;
  },
): Promise<Accepted> {
  const most = await budgetOf(budget);
  const run = await troupe.run({ cwd, workflow: checked(workflow), inputs: inputsOf(inputs), consent, ...most });
  await Promise.race([begun(run), run.done]);
  return accepted(run);
}

type Accepted = ReturnType<typeof accepted>;
export const accepted = ({ id, session }: Run) => {
  const events = `/api/runs/${id}/events`;
  return {
    status: 202,
    body: { run: id, session: session.id, status: "accepted", events },
    headers: { location: `/api/runs/${id}` },
  } satisfies Reply;
};

/** The same, with the body that AWF's clients read. */
export const acceptedForAwf = (reply: Accepted): Reply => ({
  ...reply,
  body: { ...reply.body, body: { execution_id: reply.body.run, status: "accepted" } },
});

/** Resolves with the first row that says that it runs, or that a person is asked. */
export function begun({ id, session, done }: Run): Promise<unknown> {
  const says = (row: Frame): boolean =>
    row.type === "permission.requested" || (row.type === "run.started" && row.run === id);
  return firstValueFrom(
    session.log$().pipe(
      inSeq(0),
      filter((frames) => frames.some(says)),
      takeUntil(done),
    ),
    { defaultValue: null },
  );
}

async function validated(troupe: Troupe, cwd: string, params: Params): Promise<Validation> {
  return shownWorkflow(await troupe.validate(cwd, identifierOf(params)));
}

export const workflows: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/api/workflows",
    id: "listWorkflows",
    tag: "Workflows",
    summary: "Everything that can be run in a directory, broken files included",
    query: Place,
    answers: {
      200: { description: "The list", schema: z.object({ workflows: z.array(Summary), warnings: LeftOut }) },
    },
    problems: [400],
    handle: async ({ troupe, cwd, query }) => {
      const found = (await troupe.list(query.cwd ?? cwd)).map(summaryOf);
      const warnings = await troupe.warnings(query.cwd ?? cwd);
      return { status: 200, body: { workflows: found, warnings } };
    },
  }),
  endpoint({
    method: "get",
    path: "/api/workflows/{scope}/{name}",
    id: "getWorkflow",
    tag: "Workflows",
    summary: "One workflow, as it was read",
    query: Place,
    answers: { 200: { description: "The workflow and what was found in it", schema: Read } },
    problems: [400, 404, 422],
    handle: async ({ troupe, cwd, query, params }) => {
      return { status: 200, body: await validated(troupe, query.cwd ?? cwd, params) };
    },
  }),
  endpoint({
    method: "post",
    path: "/api/workflows/{scope}/{name}/validate",
    id: "validateWorkflow",
    tag: "Workflows",
    summary: "Whether it can be run: 404 where there is none, 422 with what is wrong with it",
    query: Place,
    answers: {
      200: {
        description: "It can be run",
        schema: Wrapped.extend({ valid: z.literal(true), findings: z.array(Finding) }),
      },
    },
    problems: [400, 404, 413, 422],
    handle: async ({ troupe, cwd, query, params }) => {
      const found = await validated(troupe, query.cwd ?? cwd, params);
      const errors = errorsOf(found);
      const lines = errors.map(({ line, column, message }) => `${line}:${column}: ${message}`);
      if (errors.length === 0)
        return { status: 200, body: { valid: true, findings: found.findings, body: { errors: [] } } };
      const why = problem("WORKFLOW.VALIDATION.FAILED", `${found.id}: ${lines.join("; ")}`);
      return { status: why.status, body: { ...why, findings: found.findings, body: { errors: lines } } };
    },
  }),
  endpoint({
    method: "post",
    path: "/api/workflows/{scope}/{name}/run",
    id: "runWorkflow",
    tag: "Workflows",
    summary: "Starts a run in a session of its own",
    body: RunBody,
    answers: { 202: { description: "It runs, or waits for consent", schema: StartedForAwf } },
    problems: [400, 403, 404, 409, 413, 422],
    handle: async ({ troupe, cwd, params, body }) =>
      acceptedForAwf(await startRun(troupe, { ...body, cwd: body.cwd ?? cwd, workflow: identifierOf(params) })),
  }),
  endpoint({
    method: "post",
    path: "/api/runs",
    id: "startRun",
    tag: "Runs",
    summary: "Starts a run in a session of its own",
    body: StartBody,
    answers: { 202: { description: "It runs, or waits for consent", schema: Started } },
    problems: [400, 403, 404, 409, 413, 422],
    handle: ({ troupe, cwd, body }) => startRun(troupe, { ...body, cwd: body.cwd ?? cwd }),
  }),
];
