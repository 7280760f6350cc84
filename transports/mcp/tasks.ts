/**
 * Runs as tasks of the extension `io.modelcontextprotocol/tasks`, for hosts that say in a call that they take them.
 *
 * I1. A task's id is its run's: nothing is kept of it here, so any server of the user knows it, also after a crash.
 * I2. What a run asks stands in its task while it is open, each under a name of its own; only a person's answer counts.
 * I3. A host that has not said that it takes tasks gets an error that says so, whatever it asks of one.
 */
import {
  inputRequired,
  type McpServer,
  MissingRequiredClientCapabilityError,
  type Result,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { facesOf, troupeError } from "../../actors/troupe.ts";
import { takeAnswers } from "./answers.ts";
import { type Caller, capabilitiesOf, showsForms } from "./asking.ts";
import { formsOf, resultOf } from "./follow.ts";
import type { McpServed } from "./served.ts";
import { cancelRun, changedAt, type Standing, standing } from "./standing.ts";

export const TASKS = "io.modelcontextprotocol/tasks";
const POLL_MS = 1_000;
const Named = z.looseObject({ taskId: z.string().max(200) });

export const MISSING_TASKS = (): MissingRequiredClientCapabilityError =>
  new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    `this needs the extension ${TASKS} in the capabilities of the request`,
  );

/** A host says so with each call. */
export const takesTasks = (caller: Caller): boolean =>
  caller.era === "modern" && capabilitiesOf(caller).extensions?.[TASKS] !== undefined;

/** The handle that a call answers with. */
export async function createTask(served: McpServed, run: string): Promise<Result> {
  return { ...taskOf(await standing(served, run), "working"), resultType: "task" };
}

export function serveTasks(mcp: McpServer, served: McpServed, era: Caller["era"]): void {
  const { server } = mcp;
  const asked = async (context: ServerContext, act: (caller: Caller) => Promise<Result>): Promise<Result> => {
    const caller = { context, server: mcp, era };
    if (!takesTasks(caller)) throw MISSING_TASKS(); // I3
    return await asProtocol(() => act(caller));
  };
  server.setRequestHandler("tasks/get", { params: Named }, ({ taskId }, context) =>
    asked(context, async (caller) => detailed(served, await standing(served, taskId), showsForms(caller))),
  );
  server.setRequestHandler("tasks/update", { params: Named }, ({ taskId }, context) =>
    asked(context, async () => {
      // The SDK takes them out of the parameters.
      const { refused } = await takeAnswers(served, taskId, context.mcpReq.inputResponses ?? {});
      if (refused !== null) throw refused;
      return {};
    }),
  );
  server.setRequestHandler("tasks/cancel", { params: Named }, ({ taskId }, context) =>
    asked(context, async () => {
      await cancelRun(served, taskId);
      return {};
    }),
  );
}

/** A task as `tasks/get` has it. `canAsk`: its host shows forms. */
export function detailed(served: McpServed, one: Standing, canAsk: boolean): Result {
  const { record } = one;
  switch (record.status) {
    case "completed":
    case "failed":
    case "skipped":
      return { ...taskOf(one, "completed"), result: resultOf(served, one) };
    case "cancelled":
      return taskOf(one, "cancelled");
    case "interrupted":
      return { ...taskOf(one, "working"), statusMessage: `interrupted: troupe resume ${record.id} resumes it` };
    case "running":
      return taskOf(one, "working");
    case "parked":
    case "waiting": {
      if (!canAsk) return { ...taskOf(one, "working"), statusMessage: "waits for a person, who answers elsewhere" };
      const forms = Object.entries(formsOf(one)).map(([key, form]) => [key, inputRequired.elicit(form)]);
      return { ...taskOf(one, "input_required"), inputRequests: Object.fromEntries(forms) };
    }
    default:
      return record.status satisfies never;
  }
}

type TaskStatus = "working" | "input_required" | "completed" | "cancelled";
const taskOf = (one: Standing, status: TaskStatus) => ({
  taskId: one.record.id,
  status,
  createdAt: new Date(one.record.startedAt).toISOString(),
  lastUpdatedAt: new Date(changedAt(one)).toISOString(),
  ttlMs: null,
  pollIntervalMs: POLL_MS,
});

/** The SDK answers with the code of what is thrown. */
async function asProtocol<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const known = troupeError(error);
    throw Object.assign(new Error(`${known.message} [${known.code}]`), { code: facesOf(known.code).rpc });
  }
}
