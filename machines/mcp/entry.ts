/** From an entry of `mcp_servers`, as a file writes it, to a server. */
import type { Json } from "../model.ts";
import type { McpServer } from "./server.ts";

type EntryFields = { readonly [name: string]: string | number | boolean };
/** An entry whose fields have the right types. */
export type McpEntry = {
  type?: "stdio" | "http" | "sse" | null | undefined;
  command?: string | number | boolean | null | undefined;
  args?: readonly (string | number | boolean)[] | null | undefined;
  env?: EntryFields | null | undefined;
  url?: string | number | boolean | null | undefined;
  headers?: EntryFields | null | undefined;
};
export type Entered = { ok: true; server: McpServer } | { ok: false; message: string; expected: string };

const texts = (given: EntryFields | null | undefined): { [name: string]: string } =>
  Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name, String(value)]));
const isSet = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== "";

/** The server, or what is wrong with the entry. */
export function serverOf(name: string, entry: McpEntry): Entered {
  const { command, url } = entry;
  if (isSet(command) === isSet(url)) {
    const message = isSet(command) ? "it has both a command and a url" : "it has neither a command nor a url";
    return { ok: false, message, expected: "either command, or url" };
  }
  if (isSet(command)) {
    if (entry.type === "http" || entry.type === "sse") {
      return { ok: false, message: `type ${entry.type} needs a url, not a command`, expected: "url" };
    }
    const args = (entry.args ?? []).map(String);
    return { ok: true, server: { name, transport: "stdio", command: String(command), args, env: texts(entry.env) } };
  }
  if (entry.type === "stdio") return { ok: false, message: "type stdio needs a command", expected: "command" };
  if (!/^https?:\/\/\S+$/.test(String(url)) && !String(url).includes("{{")) {
    return { ok: false, message: `"${String(url)}" is no address`, expected: "http://… or https://…" };
  }
  const transport = entry.type ?? "http";
  return { ok: true, server: { name, transport, url: String(url), headers: texts(entry.headers) } };
}
