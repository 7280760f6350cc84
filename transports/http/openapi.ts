/** The API as an OpenAPI 3.1 document, made from the same endpoints that are served. */
import { z } from "zod";
import { PROBLEM_TYPE } from "../serve/problem.ts";
import type { Endpoint } from "./endpoint.ts";
import { Finding } from "./schemas.ts";

const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string().describe("What is wrong, what was expected and what to do."),
  code: z.string().describe("Stable."),
  details: z.looseObject({}).optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  findings: z.array(Finding).optional().describe("What is wrong with a workflow."),
  body: z
    .object({ errors: z.array(z.string()) })
    .optional()
    .describe("The same, as AWF's clients read it."),
});
const TITLES: { readonly [status: number]: string } = {
  400: "The request is not as expected",
  401: "A token is needed",
  403: "Not allowed",
  404: "There is none",
  405: "Another method is expected",
  408: "The body did not come in time",
  409: "Its state does not allow it",
  413: "Too large",
  415: "The body is not JSON in UTF-8 as it is",
  422: "The workflow is not valid, or a value does not fit",
  429: "All places of readers are taken",
};
/** What every operation may answer, and those that read a body. */
const ALWAYS = [400, 401, 403];
const OF_A_BODY = [408, 413, 415];
/** A fault of ours, a store that cannot be written, a server that is asked to end. */
const ELSE = "Any other problem, as 500 or 503";

const json = (schema: z.ZodType, io: "input" | "output"): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12", unrepresentable: "any" });
  return rest;
};

/** The document. */
export function openapi(endpoints: readonly Endpoint[], version: string): object {
  const paths: { [path: string]: { [method: string]: object } } = {};
  for (const one of endpoints) {
    paths[one.path] ??= {};
    (paths[one.path] as { [method: string]: object })[one.method] = operation(one);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Troupe",
      version,
      description: "Workflows of coding agents: what can be run, runs, and their events.",
    },
    paths,
    components: {
      schemas: { Problem: json(Problem, "output") },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
    security: [{}, { token: [] }],
  };
}

function operation({ id, tag, summary, path, query, headers = {}, body, answers, problems }: Endpoint): object {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1 },
  }));
  const asked = query === undefined ? [] : parametersOf(json(query, "input"));
  const headed = Object.entries(headers).map(([name, description]) => ({
    ...{ name, in: "header", required: false, description },
    schema: { type: "string" },
  }));
  const responses: { [status: string]: object } = {};
  for (const [status, { description, schema, type }] of Object.entries(answers))
    responses[status] = {
      description,
      ...(schema === undefined && type === undefined
        ? {}
        : {
            content: { [type ?? "application/json"]: { schema: schema === undefined ? {} : json(schema, "output") } },
          }),
    };
  const content = { [PROBLEM_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } };
  for (const status of new Set([...problems, ...ALWAYS, ...(body === undefined ? [] : OF_A_BODY)]))
    responses[status] = { description: TITLES[status] ?? "A problem", content };
  responses["default"] = { description: ELSE, content };
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: [...named, ...asked, ...headed],
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    responses,
  };
}

/** No body is an empty one, where all that may stand in it may be left out. */
const bodyOf = (body: z.ZodType): object => ({
  required: !body.safeParse({}).success,
  content: { "application/json": { schema: json(body, "input") } },
});

function parametersOf(schema: object): object[] {
  const { properties = {}, required = [] } = schema as { properties?: { [name: string]: object }; required?: string[] };
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: each,
  }));
}
