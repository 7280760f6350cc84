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
  409: "Its state does not allow it",
  413: "Too large",
  422: "The workflow is not valid, or a value does not fit",
};

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

function operation({ id, tag, summary, path, query, body, answers, problems }: Endpoint): object {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1 },
  }));
  const asked = query === undefined ? [] : parametersOf(json(query, "input"));
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
  for (const status of new Set([...problems, 400, 401, 403]))
    responses[status] = {
      description: TITLES[status] ?? "A problem",
      content: { [PROBLEM_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } },
    };
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: [...named, ...asked],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: json(body, "input") } } } }),
    responses,
  };
}

function parametersOf(schema: object): object[] {
  const { properties = {}, required = [] } = schema as { properties?: { [name: string]: object }; required?: string[] };
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: each,
  }));
}
