/**
 * The server of one host: what it lists, what it calls, in the revision that the host speaks.
 *
 * I1. Whatever goes wrong in a call is a result that says so, with its code; a name that is no tool is an error of the
 *     protocol.
 */
import { McpServer, ProtocolError, ProtocolErrorCode, type Tool } from "@modelcontextprotocol/server";
import { suggest, troupeError } from "../../actors/troupe.ts";
import { workflowTool } from "../../projections/mcp/tool.ts";
import { type Caller, resumedRun } from "./asking.ts";
import { CallCancelled } from "./await.ts";
import { followRun } from "./follow.ts";
import { brokenWords, byToolName, instructionsOf, type McpOffer, offer, untrusted } from "./offer.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import type { McpServed } from "./served.ts";
import type { McpSettings } from "./settings.ts";
import { type Arguments, startRun } from "./start.ts";
import { createTask, serveTasks, TASKS, takesTasks } from "./tasks.ts";
import { introspectTools } from "./tools/introspect.ts";
import { runTools } from "./tools/runs.ts";
import type { HostTool, ToolAnswer } from "./tools/tool.ts";

/** What a call is answered that the server's end cut off. */
const STOPPED =
  "the server was stopped, and what ran in it was cancelled; a run that waits for an answer stays parked: `troupe history` in a terminal shows both, `troupe rerun` does one again";

export type HostOptions = { served: McpServed; era: Caller["era"]; version: string };

export async function hostServer({ served, era, version }: HostOptions): Promise<McpServer> {
  const instructions = instructionsOf(await offer(served), served);
  const mcp = new McpServer(
    { name: "troupe", title: "Troupe", version },
    {
      instructions,
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: false }, // the SDK promises it where nothing is said
        ...(era === "modern" ? { extensions: { [TASKS]: {} } } : {}),
      },
    },
  );
  const { server } = mcp;
  server.setRequestHandler("tools/list", async () => ({ tools: toolsOf(await offer(served), served.settings) }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: given = {} } }, context) => {
    const call = await callOf(served, name);
    try {
      return await call(given, { context, server: mcp, era });
    } catch (error) {
      if (error instanceof ProtocolError || error instanceof CallCancelled) throw error;
      const { code, message: why } = troupeError(error);
      const message = code === "USER.FACADE.SESSION_CLOSED" ? STOPPED : why;
      return { isError: true, content: [{ type: "text", text: `${message} [${code}]` }] };
    }
  });
  server.setRequestHandler("resources/list", async () => ({ resources: await listResources(served) }));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => await readResource(served, uri));
  if (era === "modern") serveTasks(mcp, served, era);
  return mcp;
}

/** What a host sees in its list. */
export function toolsOf({ isTrusted, workflows }: McpOffer, settings: McpSettings): Tool[] {
  if (!isTrusted) return [];
  const named = settings.groups.includes("workflows") ? workflows.map(workflowTool) : [];
  const own = ownTools(settings).map(({ definition }) => definition);
  return [...named.filter((tool) => tool !== null), ...own];
}

function ownTools({ groups, allowDecide }: McpSettings): readonly HostTool[] {
  return [
    ...(groups.includes("runs") ? runTools({ allowDecide }) : []),
    ...(groups.includes("introspect") ? introspectTools : []),
  ];
}

/** Throws a `ProtocolError` for what is no tool. */
async function callOf(
  served: McpServed,
  name: string,
): Promise<(given: Arguments, caller: Caller) => Promise<ToolAnswer>> {
  const { settings } = served;
  const offered = await offer(served);
  const own = offered.isTrusted ? ownTools(settings).find(({ definition }) => definition.name === name) : undefined;
  if (own !== undefined) return (given, caller) => own.call(served, given, caller);
  const workflow = settings.groups.includes("workflows") ? byToolName(offered.workflows, name) : undefined;
  if (workflow === undefined) {
    const broken = settings.groups.includes("workflows") ? byToolName(offered.broken, name) : undefined;
    const like = suggest(
      name,
      toolsOf(offered, settings).map((tool) => tool.name),
    );
    const help = like === null ? "tools/list has those that there are" : `did you mean "${like}"?`;
    const missing = broken === undefined ? help : brokenWords(broken);
    const why = offered.isTrusted ? `there is no tool ${name}: ${missing}` : untrusted(served.cwd);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, why);
  }
  return async (given, caller) => {
    const { waitMs } = settings;
    const resumed = resumedRun(caller.context);
    if (resumed === null && takesTasks(caller))
      return (await createTask(served, await startRun(served, workflow, given))) as ToolAnswer;
    if (resumed === null)
      return await followRun(served, { run: await startRun(served, workflow, given), caller, waitMs });
    return await followRun(served, {
      run: resumed,
      caller,
      waitMs,
      responses: caller.context.mcpReq.inputResponses ?? {},
    });
  };
}
