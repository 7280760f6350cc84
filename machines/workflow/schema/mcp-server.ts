/** One entry of `mcp_servers`, as `.mcp.json` writes it. */
import { z } from "zod";
import { choice, flag, opt, text, texts } from "./fields.ts";

const values = z.record(z.string(), text(), { error: "a map of names to texts" });

export const mcpServerFields = {
  type: opt(choice(["stdio", "http", "sse"])).describe("How it is reached; stdio where there is a command."),
  command: opt(text()).describe("The program that is the server."),
  args: opt(texts()).describe("Its arguments, passed as they are."),
  env: opt(values).describe("Environment variables for it."),
  url: opt(text()).describe("The address of a server that is reached over HTTP."),
  headers: opt(values).describe("HTTP headers for it."),
};
export const mcpServer = z.strictObject(
  {
    ...mcpServerFields,
    pinned: opt(flag()).describe("No editor may put a server of its own under this name; false by default."),
  },
  { error: "a map with command or url" },
);
