/**
 * An operation step: its inputs rendered, the operation found by its name, its end as the step's result.
 *
 * I1. A built-in operation goes before a tool of a server with the same name.
 * I2. Outputs that cannot be kept are none, and the step has failed.
 * I3. `Response` and `Data` are the outputs, `Output` their JSON (of an MCP tool: the head of its text), as AWF has it.
 */
import type { WorkInput } from "../../machines/contracts.ts";
import { own, type StateResult } from "../../machines/model.ts";
import type { OperationNode } from "../../machines/workflow/document.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { shapeFault } from "../acp-client/shape.ts";
import { limitsOf, MOST_DEEP } from "../base/limits.ts";
import { meantServer, needServer, serverNames } from "../config/lacking-servers.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { WorkContext } from "../host/host.ts";
import type { Operation, OperationEnd, Outputs } from "../operations/operation.ts";
import type { Operations } from "../operations/registry.ts";
import { markerFor } from "../process/marker.ts";
import { cancelled, completed, type Ended, failed } from "./ended.ts";
import type { EffectOptions } from "./options.ts";
import { OutputHead } from "./output-head.ts";
import { Rendering } from "./rendering.ts";
import { type StepServers, serversOf } from "./servers.ts";
import { traceEnvironment, traceparentIn } from "./trace-environment.ts";
import { warningsOf } from "./warnings.ts";

/** Outputs stand in the state of a step's result. */
const DEEPEST = { maxDepth: MOST_DEEP - 2, maxEntries: Number.POSITIVE_INFINITY };

type OperationWork = WorkInput & { node: OperationNode };

export async function operation(input: OperationWork, context: WorkContext, options: EffectOptions): Promise<Ended> {
  const { node, scope, origin, attempt } = input;
  const where = `states.${node.name}`;
  const rendering = new Rendering(scope, options, warningsOf(context, origin));
  const servers = () => serversOf({ workflow: node.mcpServers, session: context.session, where }, rendering, options);
  const run = await operationOf(node.operation, where, options.operations, servers);
  const given = await run({
    inputs: rendering.record(node.inputs, `${where}.inputs`),
    cwd: scope.context.WorkingDir,
    environment: options.environment,
    marker: markerFor(options.owner, context.attempt),
    signal: context.signal,
    ...traceparentIn(traceEnvironment(input, options)),
    where: `${where}.inputs`,
  });
  const end = keepable(given, node.operation);
  const block = context.text({
    type: "tool.update",
    run: origin.run,
    step: origin.step,
    block: `${origin.step}@${attempt}.stdout`,
    stream: "stdout",
  });
  if (!context.signal.aborted) block.say(`${end.ok ? end.told : end.message}\n`);
  block.end();
  const max = limitsOf(options.limits).keptOutputBytes;
  const left = leftBy(end, max);
  if (left.Truncated === true) {
    const more = `the text of ${node.operation} has more than ${max} bytes, which limits.kept_output_bytes allows`;
    warningsOf(context, origin)(`${where}: Output holds the first part: ${more}`);
  }
  if (context.signal.aborted) return cancelled(left);
  if (end.ok) return completed(left);
  const { message } = end;
  return failed({ code: "EXECUTION.OPERATION.FAILED", message }, 1, { ...left, Stderr: message });
}

/** I2. */
function keepable(end: OperationEnd, name: string): OperationEnd {
  if (end.outputs === undefined || !isTooDeep(end.outputs)) return end;
  const message =
    `${name}: what it gave is nested more than ${DEEPEST.maxDepth} deep, lists and maps within each other, ` +
    "and cannot be kept: let it give less, or a text";
  return { ok: false, message: end.ok ? message : end.message, ...(end.text === undefined ? {} : { text: end.text }) };
}

function isTooDeep(outputs: Outputs): boolean {
  try {
    return shapeFault(JSON.stringify(outputs), DEEPEST) !== null;
  } catch (error) {
    // What was parsed can be nested deeper than can be written.
    if (error instanceof RangeError) return true;
    throw error;
  }
}

type OperationLeft = Pick<StateResult, "Output" | "Response" | "Data" | "Truncated">;

/** At most `max` bytes of a text are kept; what is data is whole. */
function leftBy({ outputs, text }: OperationEnd, max: number): OperationLeft {
  const head = new OutputHead(max);
  head.add(text ?? "");
  const isCut = head.cut ? { Truncated: true } : {};
  if (outputs === undefined) return { Output: head.text, ...isCut };
  const Data = head.cut && outputs["text"] === text ? { ...outputs, text: head.text } : outputs;
  return { Output: text === undefined ? JSON.stringify(outputs) : head.text, Response: Data, Data, ...isCut };
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
