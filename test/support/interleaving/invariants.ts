/**
 * What holds after every step.
 *
 * I1. A request is answered once. Only a prompt of a held session may wait.
 * I2. No message about a session comes before the answer that names it, nor between the answer of a prompt and the next
 *     request about that session.
 * I3. `seq` has no gaps.
 * I4. Where nothing is held no process is left.
 * I5. A session at rest costs only rows: no owner, no work, no timer, no mail. So does one that was taken over after a
 *     crash and was not resumed.
 * I6. All who follow a session have seen the same order.
 */
import { expect } from "vitest";
import type { Message } from "../acp-editor.ts";
import { childrenOf, storedRows } from "../house.ts";
import { AT_REST, storedHolds } from "../stored.ts";
import type { Client } from "./client.ts";
import type { Model } from "./steps.ts";
import type { World } from "./world.ts";

export function checkAll(model: Model, world: World): void {
  for (const client of world.everyone) {
    checkAnswers(client);
    checkMoments(client, world);
  }
  for (const [index, session] of world.sessions.entries()) {
    const seqs = storedRows(world.house.store, session).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    const isHeld = model.sessions[index]?.state === "held";
    if (!isHeld) expect(world.inFlight(session), "a prompt of a session at rest").toBeUndefined();
    const state = model.sessions[index]?.state;
    const isTaken = state === "interrupted" && !world.see(session).isOrphan;
    if (state === "parked" || state === "idle" || isTaken)
      expect([session, storedHolds(world.house.store, session)]).toEqual([session, AT_REST]);
    checkOrder(world, session);
  }
  for (const [place, client] of world.clients.entries()) {
    const holds = model.sessions.some(({ state, by }) => state === "held" && (world.way.isShared || by === place));
    if (client !== null && !holds) expect(childrenOf(client.owner), "processes of what has ended").toEqual([]);
  }
}

/** I1. */
function checkAnswers({ trace }: Client): void {
  const answered = new Map<unknown, number>();
  for (const { from, message } of trace)
    if (from === "agent" && !("method" in message)) answered.set(message["id"], (answered.get(message["id"]) ?? 0) + 1);
  expect([...answered].filter(([, times]) => times !== 1)).toEqual([]);
}

type Told = { sessionId?: string; update?: Message };
/** I2. */
function checkMoments(client: Client, world: World): void {
  const named = new Set<string>();
  const asked = new Map<unknown, { method: unknown; session: string | undefined }>();
  /** Where the last prompt of a session was answered; none while one is in flight. */
  const answeredAt = new Map<string, number>();
  for (const [at, { from, message }] of client.trace.entries()) {
    const { method, id } = message;
    const { sessionId, update } = (message["params"] ?? {}) as Told;
    if (from === "client") {
      if (method === undefined) continue;
      asked.set(id, { method, session: sessionId });
      if (method === "session/load" || method === "session/resume") named.add(sessionId ?? "");
      if (method === "session/prompt") answeredAt.delete(sessionId ?? "");
      continue;
    }
    if (method === undefined) {
      const request = asked.get(id);
      if (request?.method === "session/new") named.add((message["result"] as { sessionId: string }).sessionId);
      if (request?.method === "session/prompt" && !isRefused(message)) answeredAt.set(request.session ?? "", at);
      continue;
    }
    if (sessionId === undefined) continue;
    expect(named.has(sessionId), `${sessionId} is spoken of before it is named`).toBe(true);
    if (method !== "session/update" || update?.["sessionUpdate"] === "available_commands_update") continue;
    const since = answeredAt.get(sessionId);
    if (since === undefined) continue;
    const isCaused = world.begun.some(({ session, marks }) => {
      const mark = marks.get(client) ?? 0;
      return (session === sessionId || session === null) && mark > since && mark <= at;
    });
    expect(isCaused, `said after an answer: ${JSON.stringify(message)}`).toBe(true);
  }
}
const isRefused = (message: Message): boolean => "error" in message;

/** I6: one has seen as much as another, or the beginning of it. */
function checkOrder(world: World, session: string): void {
  noteFirst(world, session);
  const seen = [...world.followers].flatMap(([client, followed]) => {
    const from = followed.get(session);
    return from === undefined ? [] : [seenOf(world, client, session, from)];
  });
  const longest = seen.toSorted((a, b) => b.length - a.length)[0] ?? [];
  for (const one of seen) expect(one).toEqual(longest.slice(0, one.length));
}

/** The first thing of a session is seen by the client that prompted it first, before another one prompts. */
function noteFirst(world: World, session: string): void {
  if (world.firsts.has(session)) return;
  const first = world.everyone.flatMap((client) => shown(client, session, 0).slice(0, 1))[0];
  if (first !== undefined) world.firsts.set(session, first);
}

/**
 * What a follower has seen since it loaded a session. What was on its way when it asked for that comes before the
 * first thing of the session.
 */
export function seenOf(world: World, client: Client, session: string, from: number): string[] {
  const things = told(client, session, from);
  const begin = things.indexOf(world.firsts.get(session) ?? "");
  return begin === -1 ? [] : [...new Set(things.slice(begin))];
}

/** What a client was shown, each thing when it appeared first. Its own words are not echoed, so no words of users count. */
export const shown = (client: Client, session: string, from: number): string[] => [
  ...new Set(told(client, session, from)),
];

function told({ trace }: Client, session: string, from: number): string[] {
  return trace.slice(from).flatMap(({ message }) => {
    const { sessionId, update } = (message["params"] ?? {}) as Told;
    if (message["method"] !== "session/update" || sessionId !== session || update === undefined) return [];
    switch (update["sessionUpdate"]) {
      case "agent_message_chunk":
      case "agent_thought_chunk":
        // What has no message is not in the log: it is said to one client alone.
        return update["messageId"] === undefined ? [] : [`said ${update["messageId"]}`];
      case "tool_call":
      case "tool_call_update":
        return [`card ${update["toolCallId"]}`];
      default:
        return [];
    }
  });
}
