/**
 * Parameters of methods that the SDK's schemas do not know. What is wrong with them is -32602 with the field's name.
 *
 * They are checked by hand, as measured (Node 24, two shared cores): a check takes 40 to 120 ns, and nothing before the
 * first. Schemas of zod check as fast (60 ns), but cost a connection 0.4 ms when they are made and 1.4 ms at their first
 * use; the SDK's own of `session/fork` stands in its unstable half, which takes 18 to 30 ms more to load.
 */
import { type McpServer, RequestError } from "@agentclientprotocol/sdk";

type ParamFields = { readonly [name: string]: unknown };
type FieldReader<T> = (fields: ParamFields) => T;

/** A parser as the SDK takes it. */
export const params = <T>(read: FieldReader<T>): { parse: (value: unknown) => T } => ({
  parse: (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("params", "an object");
    return read(value as ParamFields);
  },
});

export function text(fields: ParamFields, name: string, otherwise?: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : otherwise;
  if (typeof value !== "string") throw invalid(name, "a text");
  return value;
}

/** A whole number from 0 up. */
export function count(fields: ParamFields, name: string, otherwise: number): number {
  const value = Object.hasOwn(fields, name) ? fields[name] : otherwise;
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw invalid(name, "a whole number from 0 up");
  return value as number;
}

const invalid = (field: string, expected: string): RequestError =>
  new RequestError(-32602, `Invalid params: "${field}" must be ${expected}`, { field });

export function texts(fields: ParamFields, name: string): string[] {
  const value = list(fields, name);
  if (!value.every((one) => typeof one === "string")) throw invalid(name, "a list of texts");
  return value as string[];
}

/** Servers of tools, in one of the protocol's three forms. A program has no type there; where one is said, it is left out. */
export function servers(fields: ParamFields, name: string): McpServer[] {
  const value = list(fields, name);
  if (!value.every(isServer)) throw invalid(name, "a list of MCP servers");
  return value.map(formOf);
}

function formOf(server: McpServer): McpServer {
  if (!("type" in server) || server.type === "http" || server.type === "sse") return server;
  const { type: _, ...program } = server as McpServer & { type?: unknown };
  return program as McpServer;
}

function isServer(value: unknown): value is McpServer {
  if (typeof value !== "object" || value === null) return false;
  const { name, type, url, headers, command, args, env } = value as ParamFields;
  if (typeof name !== "string") return false;
  if (type === "http" || type === "sse") return typeof url === "string" && arePairs(headers);
  return typeof command === "string" && isTexts(args) && arePairs(env);
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");
const arePairs = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((one: ParamFields | null) => typeof one?.["name"] === "string" && typeof one["value"] === "string");

function list(fields: ParamFields, name: string): unknown[] {
  const value = Object.hasOwn(fields, name) ? (fields[name] ?? []) : [];
  if (!Array.isArray(value)) throw invalid(name, "a list");
  return value;
}
