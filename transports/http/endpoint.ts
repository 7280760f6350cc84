/**
 * One operation of the API as data: what is served and what is documented come from the same object.
 *
 * I1. Query and body are checked against their schemas before the operation is called; what does not fit is a problem
 *     that names each field.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { Troupe } from "../../actors/troupe.ts";

export type Params = { readonly [name: string]: string };
export type EndpointCall<Query = unknown, Body = unknown> = {
  troupe: Troupe;
  /** Whose token opened the gate; null is the user who runs the server. */
  subject: string | null;
  /** Where workflows are looked for when the request names no directory. */
  cwd: string;
  params: Params;
  query: Query;
  body: Body;
  header: (name: string) => string | undefined;
};
/** A request as Node has it: for an answer that is written bit by bit. */
export type Exchanged = { request: IncomingMessage; response: ServerResponse };
/** `body` undefined: there is none. `stream` answers by itself. */
export type Reply =
  | { status: number; body?: unknown; headers?: { readonly [name: string]: string } }
  | { stream: (exchanged: Exchanged) => void };

export type Endpoint = {
  method: "get" | "post" | "delete";
  /** With `{name}` for parameters. */
  path: string;
  id: string;
  tag: "Workflows" | "Runs" | "Events" | "History" | "Trust" | "Schedules" | "AWF";
  summary: string;
  query?: z.ZodType;
  /** Headers that it reads, with what they say. */
  headers?: { readonly [name: string]: string };
  body?: z.ZodType;
  /** Success by its status. */
  answers: { readonly [status: number]: { description: string; schema?: z.ZodType; type?: string } };
  /** The statuses of the problems that this operation may answer with. */
  problems: readonly number[];
  handle: (call: EndpointCall) => Promise<Reply>;
};

/** An endpoint whose handler sees the types of its schemas. */
export function endpoint<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType>(
  one: Omit<Endpoint, "handle" | "query" | "body"> & {
    query?: Query;
    body?: Body;
    handle: (call: EndpointCall<z.output<Query>, z.output<Body>>) => Promise<Reply>;
  },
): Endpoint {
  return one as Endpoint;
}
