/**
 * An operation step: its inputs rendered, the operation found by its name, its end as the step's result.
 *
 * I1. A built-in operation goes before a tool of a server with the same name.
 * I2. `Response` and `Data` are the outputs, `Output` their JSON (of an MCP tool: its text), as AWF has it.
 */
import type { WorkInput } from "../../machines/contracts.ts";
import { type Json, own } from "../../machines/model.ts";
import type { OperationNode } from "../../machines/workflow/document.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { meantServer, needServer, serverNames } from "../config/lacking-servers.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { WorkContext } from "../host/host.ts";
import type { Operation, OperationEnd } from "../operations/operation.ts";
import type { Operations } from "../operations/registry.ts";
import { markerFor } from "../process/marker.ts";
import { cancelled, completed, type Ended, failed } from "./ended.ts";
import type { EffectOptions } from "./options.ts";
import { Rendering } from "./rendering.ts";
import { type StepServers, serversOf } from "./servers.ts";
import { traceEnvironment, traceparentIn } from "./trace-environment.ts";
import { warningsOf } from "./warnings.ts";

type OperationWork = WorkInput & { node: OperationNode };

export async function operation(input: OperationWork, context: WorkContext, options: EffectOptions): Promise<Ended> {
  const { node, scope, origin, attempt } = input;
  const where = `states.${node.name}`;
  const rendering = new Rendering(scope, options, warningsOf(context, origin));
  const servers = () => serversOf({ workflow: node.mcpServers, session: context.session, where }, rendering, options);
  const run = await operationOf(node.operation, where, options.operations, servers);
  const end = await run({
    inputs: rendering.record(node.inputs, `${where}.inputs`),
    cwd: scope.context.WorkingDir,
    environment: options.environment,
    marker: markerFor(options.owner, context.attempt),
    signal: context.signal,
    ...traceparentIn(traceEnvironment(input, options)),
    where: `${where}.inputs`,
  });
  const block = context.text({
    type: "tool.update",
    run: origin.run,
    step: origin.step,
    block: `${origin.step}@${attempt}.stdout`,
    stream: "stdout",
  });
  if (!context.signal.aborted) block.say(`${end.ok ? end.told : end.message}\n`);
  block.end();
  const left = leftBy(end);
  if (context.signal.aborted) return cancelled(left);
  if (end.ok) return completed(left);
  const { message } = end;
  return failed({ code: "EXECUTION.OPERATION.FAILED", message }, 1, { ...left, Stderr: message });
}

function leftBy(end: OperationEnd): { Output: string; Response?: Json; Data?: Json } {
  if (end.outputs === undefined) return { Output: end.text ?? "" };
  return { Output: end.text ?? JSON.stringify(end.outputs), Response: end.outputs, Data: end.outputs };
}

async function operationOf(
  name: string,
  where: string,
  operations: Operations,
  servers: () => StepServers,
): Promise<Operation> {
  const builtIn = own(operations, name);
  if (builtIn !== undefined) return builtIn();
  const { servers: all, lacking } = servers();
  const names = serverNames({ mcpServers: all, lackingServers: lacking });
  const called = meantServer(name, names);
  needServer(called, lacking, `${where}.operation`);
  const server = all.find((each) => each.name === called);
  if (server !== undefined) {
    const { mcpTool } = await import("../operations/mcp.ts");
    return mcpTool(server, name.slice(server.name.length + 1));
  }
  const known = Object.keys(operations);
  const meant = suggest(name, known) ?? suggest(name.split(".")[0] ?? "", names);
  const question = meant === null ? "" : `; did you mean "${meant}"?`;
  const named = names.length === 0 ? "no MCP server is configured" : `a tool of ${names.join(", ")}`;
  const message = `${where}.operation: there is no operation "${name}"${question} Known: ${known.join(", ")}, and ${named}`;
  throw new TroupeError("USER.OPERATION.UNKNOWN", message, { operation: name });
}
