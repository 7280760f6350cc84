/**
 * Secrets that reach a run in every possible way, and the places where they are searched for: all that is ours. An
 * agent's own history in the user's home belongs to the user.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { childrenOf, type House } from "../../support/house.ts";

/** The agent's own key, values in the environment and the headers of an MCP server, and an input of the workflow. */
export const CANARIES = {
  key: "sk-canary-7f3a9d2c41b8e605",
  server: "mcp-canary-1c9e02d7b6a84f53",
  input: "input-canary-5d41402abc4b2a76",
};
export const SERVER_VARIABLE = "CANARY_API_KEY";

/** Half of a secret counts as a secret. */
const FORMS = Object.entries(CANARIES).map(([name, value]) => ({
  name,
  forms: [value.slice(0, 18), value.slice(-14)],
}));

/** The secrets that were found, as `place: secret`. */
export const foundIn = (places: { readonly [place: string]: string }): string[] =>
  Object.entries(places).flatMap(([place, text]) =>
    FORMS.flatMap(({ name, forms }) => (forms.some((form) => text.includes(form)) ? [`${place}: ${name}`] : [])),
  );

/** The store with its journal, the workspace, and every temporary file of ours, byte for byte. */
export function filesOfOurs({ root, cwd, store }: House): { [place: string]: string } {
  const temporary = readdirSync(root).filter((name) => name.startsWith("troupe"));
  const folders = [cwd, join(store, ".."), ...temporary.map((name) => join(root, name))];
  return Object.fromEntries(folders.flatMap(filesBelow).map((file) => [file, textOf(file)]));
}
/** Empty where it is gone meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    if (GONE.includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}
function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((one) => {
    const path = join(folder, one.name);
    // The agent's program writes its own output here; it is removed with the folder.
    if (one.isDirectory()) return one.name === REPORT ? [] : filesBelow(path);
    // Links lead into the user's home.
    return one.isFile() ? [path] : [];
  });
}
const REPORT = "report";

const GONE = ["ENOENT", "ESRCH"];
/** None where it is gone meanwhile. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (GONE.includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

/** The arguments of all processes of this owner. */
export const argumentsOf = (owner: string): string =>
  childrenOf(owner)
    .map((pid) => `/proc/${pid}/cmdline`)
    .map(textOf)
    .join("\n");

/** An MCP server behind a real socket, which keeps the keys that it gets. */
export async function webServer() {
  const keys = new Set<string>();
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "web", version: "1" });
    server.registerTool("sum", { inputSchema: z.object({}) }, async () => ({ content: [] }));
    return server;
  });
  const http = createServer(async (request, response) => {
    keys.add(String(request.headers.authorization));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const url = `http://127.0.0.1${request.url}`;
    const answer = await handler.fetch(new Request(url, { method: request.method ?? "GET", headers, ...body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> => {
    http.closeAllConnections();
    return new Promise((resolve) => http.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, keys, close };
}
