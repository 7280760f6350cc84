/** Inspections for tests, as a host would tell them. */
import type { ActorSeen, Inspection } from "../../../machines/inspection.ts";
import type { Key } from "../../../machines/model.ts";

const about = (id: Key) => ({ rootId: "session/s" as Key, actorRef: { id, sessionId: id }, at: 1_000 });

export const actorSeen = (id: Key): ActorSeen => ({
  ...{ type: "@xstate.actor", ...about(id), name: id.split("/")[0] ?? "", parentId: null },
  definition: () => '{"id":"x"}',
  snapshot: () => '{"value":"born"}',
});
/** What one event makes of an actor: as a host tells it, its birth too where it is new. */
export function moved(id: Key, type: string, { isOver = false, source = null as Key | null } = {}): Inspection[] {
  const event = JSON.stringify({ type });
  const seen = { ...about(id), eventType: type, event: () => event, actor: () => actorSeen(id) };
  return [
    ...(type === "xstate.init" ? [actorSeen(id)] : []),
    { type: "@xstate.event", ...seen, sourceId: source },
    {
      type: "@xstate.snapshot",
      ...seen,
      isOver,
      snapshot: () => JSON.stringify({ value: type, status: isOver ? "done" : "active" }),
    },
  ];
}
