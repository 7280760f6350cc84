/**
 * A connection to an MCP server that is used and then closed.
 *
 * I1. Whatever `use` does, the connection is closed and a server's process has gone when this settles.
 * I2. A server's process gets the least environment: what every agent gets, and what its own configuration sets.
 */

import { Client, SdkHttpError, type Transport } from "@modelcontextprotocol/client";
import type { McpServer } from "../../machines/mcp/server.ts";
import { fieldsOf, listAt, listOf, parsed, textAt } from "../base/json.ts";
import type { Environment } from "../base/user-folders.ts";
import { agentEnvironment } from "../process/environment.ts";
import { HttpTransport } from "./http.ts";
import { SseTransport } from "./sse.ts";
import { StdioTransport } from "./stdio.ts";

const CONNECT_MS = 30_000;
/** So much is told of what a server has answered in place of what was asked for. */
const MOST_SAID = 1_000;

type Argv = readonly [string, ...string[]];
export type ConnectContext = {
  cwd: string;
  environment: Environment;
  marker: { readonly [name: string]: string };
  boxed?: (argv: Argv, cwd: string) => Argv;
  signal: AbortSignal;
};
export class McpUnreachable extends Error {}

/** Throws `McpUnreachable` when there is no server to speak to. `why`: what an error of the client comes from. */
export async function withServer<T>(
  server: McpServer,
  place: ConnectContext,
  use: (client: Client, why: (error: unknown) => string) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: "troupe", version: "0.1.0" });
  const transport = transportOf(server, place);
  try {
    try {
      await client.connect(transport, { timeout: CONNECT_MS, signal: place.signal });
    } catch (error) {
      throw new McpUnreachable(`the MCP server "${server.name}" cannot be used: ${reasonOf(error, transport)}`);
    }
    // What a server that lives has said on standard error is seldom about this call.
    const isOver = (): boolean => transport instanceof StdioTransport && transport.end !== null;
    return await use(client, (error) => (isOver() ? reasonOf(error, transport) : causeOf(error)));
  } finally {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  }
}

/** The way to a server; `boxed` makes what its process is started as. */
export function transportOf(
  server: McpServer,
  { cwd, environment, marker, boxed = (argv) => argv }: Omit<ConnectContext, "signal">,
): Transport {
  switch (server.transport) {
    case "stdio":
      return new StdioTransport({
        argv: boxed([server.command, ...server.args], cwd),
        cwd,
        env: agentEnvironment(environment, server.env),
        marker,
      });
    case "http":
      return new HttpTransport(new URL(server.url), server.headers);
    case "sse":
      return new SseTransport(new URL(server.url), server.headers);
    default:
      return server satisfies never;
  }
}

/** `fetch` says why only in the cause of its error. */
function causeOf(error: unknown): string {
  const message = wordsIn(error instanceof Error ? error.message : String(error)).slice(0, MOST_SAID);
  if (error instanceof SdkHttpError && error.status !== undefined) return `it answered ${error.status}: ${message}`;
  if (error instanceof SyntaxError) return `its answer is no JSON: ${message}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null;
  return cause === null || cause.message === "" ? message : `${message}: ${cause.message}`;
}

/** What the SDK finds wrong in an answer it lists as JSON: the first of it, and how much more there is. */
function wordsIn(message: string): string {
  const at = message.indexOf("[\n");
  const found = at < 0 ? [] : listOf(parsed(message.slice(at)) ?? undefined).map(fieldsOf);
  const [first] = found;
  if (first === undefined) return message;
  const places = listAt(first, "path").length === 0 ? "" : `${listAt(first, "path").join(".")}: `;
  const more = found.length === 1 ? "" : `, and ${found.length - 1} more`;
  const what = at === 0 ? "its answer is none of the protocol's: " : message.slice(0, at);
  return `${what}${places}${textAt(first, "message") ?? "it is not valid"}${more}`;
}

function reasonOf(error: unknown, transport: Transport): string {
  const message = causeOf(error);
  if (!(transport instanceof StdioTransport)) return message;
  const ended = endedWords(transport) ?? message;
  const said = transport.stderr.trim();
  return said === "" ? ended : `${ended}; it said: ${said}`;
}

function endedWords({ end, hungUp }: StdioTransport): string | null {
  if (end === null) return null;
  if (end.type === "not started") return end.message;
  return hungUp ? "it closed its standard output and was ended" : `it has ended (${endWords(end)})`;
}

const endWords = (end: NonNullable<StdioTransport["end"]>): string =>
  end.type === "exited" ? `exit code ${end.code}` : end.type === "signalled" ? end.signal : end.type;
