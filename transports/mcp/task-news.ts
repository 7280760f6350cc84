/**
 * What becomes of tasks, for a host that listens to them: `subscriptions/listen` with `taskIds`.
 *
 * I1. The first news of a task is how it stands now: nothing is missed between its call and the listening.
 * I2. Each is what `tasks/get` answers then; nothing is said twice, and nothing after its end. That a row was written is no
 *     news of a task: the time of the last one alone is not told.
 * I3. It is read from the log and the store, so it does not matter which process runs the task.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  isJSONRPCRequest,
  type JSONRPCNotification,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import {
  asyncScheduler,
  catchError,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  map,
  merge,
  Observable,
  startWith,
  takeWhile,
  throttleTime,
} from "rxjs";
import { z } from "zod";
import { inSeq } from "../../projections/shared/in-seq.ts";
import { type Capabilities, formsIn } from "./asking.ts";
import { isTurn } from "./await.ts";
import type { McpServed } from "./served.ts";
import { standing } from "./standing.ts";
import { detailed, MISSING_TASKS, TASKS } from "./tasks.ts";

/** What one request listens to; the SDK serves the rest of it. */
export type TaskListen = { id: RequestId; taskIds: readonly string[]; showsForms: boolean };

/** Tasks of one listening. */
const MOST_TASKS = 100;
/** A look at the store, at most so often a task. */
const OFTEN_MS = 100;
const ENDED: ReadonlySet<unknown> = new Set(["completed", "cancelled", "failed"]);
const Listen = z.looseObject({
  _meta: z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}) }),
  notifications: z.looseObject({ taskIds: z.array(z.string()).min(1) }),
});

/** Null for any other message. Throws where the host has not said that it takes tasks. */
export function taskListenOf(message: unknown): TaskListen | null {
  if (!isJSONRPCRequest(message) || message.method !== "subscriptions/listen") return null;
  const listen = Listen.safeParse(message.params);
  if (!listen.success) return null;
  const capabilities = listen.data._meta[CLIENT_CAPABILITIES_META_KEY] as Capabilities;
  if (capabilities.extensions?.[TASKS] === undefined) throw MISSING_TASKS();
  return {
    id: message.id,
    taskIds: [...new Set(listen.data.notifications.taskIds)].slice(0, MOST_TASKS),
    showsForms: formsIn(capabilities),
  };
}

/** Those of its tasks that are known here. */
export async function knownTasks(served: McpServed, { taskIds }: TaskListen): Promise<string[]> {
  const known = await Promise.all(
    taskIds.map((id) =>
      standing(served, id).then(
        () => [id],
        () => [],
      ),
    ),
  );
  return known.flat();
}

/** The notifications of its tasks, until each has ended. */
export const taskNews = (served: McpServed, taskIds: readonly string[], listen: TaskListen) =>
  merge(...taskIds.map((id) => newsOf(served, id, listen)));

const toldOf = (task: object): string => JSON.stringify({ ...task, lastUpdatedAt: null });

function newsOf(served: McpServed, task: string, { id, showsForms }: TaskListen): Observable<JSONRPCNotification> {
  const found$ = defer(() => standing(served, task));
  const news$ = new Observable<void>((heard) => served.troupe.watchRuns(() => heard.next()));
  return found$.pipe(
    concatMap(({ session }) => {
      const after = session.head();
      const turns$ = session.log$({ after }).pipe(
        inSeq(after),
        filter((frames) => frames.some(isTurn)),
      );
      return merge(turns$, news$).pipe(
        throttleTime(OFTEN_MS, asyncScheduler, { leading: true, trailing: true }),
        startWith(null),
        concatMap(async () => detailed(served, await standing(served, task), showsForms)),
      );
    }),
    distinctUntilChanged((one, next) => toldOf(one) === toldOf(next)),
    takeWhile(({ status }) => !ENDED.has(status), true),
    map((params) => ({
      jsonrpc: "2.0" as const,
      method: "notifications/tasks",
      params: { ...params, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } },
    })),
    // Its session was deleted: `tasks/get` says that there is no such task.
    catchError(() => EMPTY),
  );
}
