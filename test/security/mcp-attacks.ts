/** The attacks of `mcp-defences.ts`: the official client on the real server, over the real facade. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { type CallToolResult, InMemoryTransport } from "@modelcontextprotocol/server";
import { createTroupe } from "../../actors/troupe.ts";
import { formDecision, permissionKey } from "../../projections/mcp/form.ts";
import { withoutTrust } from "../../transports/cli/commands/mcp.ts";
import { hostServer } from "../../transports/mcp/host-server.ts";
import { settingsOf } from "../../transports/mcp/settings.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/", import.meta.url));
const WORKFLOWS = ["acceptance/hello.yaml", "acceptance/gate.yaml", "mcp/typed.yaml"];

export type Host = {
  tools(): Promise<string[]>;
  call(name: string, given: { [name: string]: unknown }): Promise<CallToolResult>;
  told(name: string, given: { [name: string]: unknown }): Promise<{ run: string; [name: string]: unknown }>;
  /** A run of another directory of the same user. */
  elsewhere(): Promise<string>;
};

/** A host of a directory with workflows, as `troupe mcp` serves it without options. */
export async function asMcpHost<T>(
  { isTrusted = true, environment = {} }: { isTrusted?: boolean; environment?: { [name: string]: string } },
  attack: (host: Host) => Promise<T>,
): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-mcp-defences-")));
  const [cwd, other] = ["here", "there"].map((name) => join(root, name)) as [string, string];
  for (const folder of [cwd, other])
    for (const one of WORKFLOWS)
      cpSync(join(FIXTURES, one), join(folder, ".troupe", "workflows", one.slice(one.indexOf("/"))));
  mkdirSync(join(root, "state"));
  const own = { HOME: root, TROUPE_HOME: join(root, "state"), PATH: process.env["PATH"] ?? "" };
  const secret = { TROUPE_INPUT_API_TOKEN: "what the user has set" };
  const troupe = createTroupe({ environment: withoutTrust({ ...own, ...environment }) });
  const client = new Client({ name: "attacker", version: "1" });
  try {
    if (isTrusted) await troupe.giveTrust(cwd);
    const settings = settingsOf({ tools: ["workflows", "runs"], allow: [], deny: [], wait: 50 });
    const server = await hostServer({
      served: { troupe, cwd, environment: { ...own, ...secret }, settings },
      era: "legacy",
      version: "1",
    });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(here), client.connect(there)]);
    const call: Host["call"] = async (name, given) => {
      try {
        return (await client.callTool({ name, arguments: given })) as CallToolResult;
      } catch {
        return { isError: true, content: [] };
      }
    };
    return await attack({
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call,
      told: async (name, given) => (await call(name, given)).structuredContent as { run: string },
      elsewhere: async () => {
        const run = await troupe.run({ cwd: other, workflow: "hello", inputs: {}, consent: "yes" });
        await run.done;
        return run.id;
      },
    });
  } finally {
    await client.close();
    await troupe.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Whether an option is chosen by a form that was dismissed with it. */
export function isDecidedByNo(): boolean {
  const asked = { permission: "p", title: "", options: [{ id: "allow", name: "Yes", kind: "allow_once" as const }] };
  const declined = { action: "decline", content: { decision: "allow" } };
  return formDecision(asked, { [permissionKey(asked)]: declined }[permissionKey(asked)]) !== null;
}
