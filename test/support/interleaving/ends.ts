/** Steps that end something: a turn, a session, a client, a process. They answer what is allowed behind them. */
import { expect } from "vitest";
import type { Model, State, Step } from "./steps.ts";
import type { World } from "./world.ts";

export type Allowed = (readonly State[] | undefined)[];
export type At = { client: number; session: number };
/** Whether a close or a deletion of this client comes to the process that runs the session. A cancel always does. */
const reachesRunner = (model: Model, world: World, { client, session }: At): boolean => {
  const { by, state } = knownAt(model, session);
  return state !== "held" || world.way.isShared || by === client;
};

/** Cancels or closes; what ran has ended when it settles. */
export async function stop(
  model: Model,
  world: World,
  step: At & { do: "cancel" | "close" },
): Promise<readonly State[]> {
  const client = world.client(step.client);
  const session = world.session(step.session);
  const { state } = knownAt(model, step.session);
  const isReached = step.do === "cancel" || reachesRunner(model, world, step);
  const prompt = isReached ? world.inFlight(session) : undefined;
  if (step.do === "cancel") client.notify("session/cancel", { sessionId: session });
  else {
    expect(await world.request(client, "session/close", { sessionId: session })).toHaveProperty("result");
    detach(model, step);
    world.follows(client, session, null);
  }
  if (prompt !== undefined) await world.limited("the answer of what was stopped", prompt.answer);
  if (state === "gone") return [state];
  return isReached ? ["idle"] : ["held"];
}

/** Deletes any session; what ran has ended when it settles, and its prompt has an answer. */
export async function remove(model: Model, world: World, step: At): Promise<readonly State[]> {
  const client = world.client(step.client);
  const session = world.session(step.session);
  const isReached = reachesRunner(model, world, step);
  const prompt = isReached ? world.inFlight(session) : undefined;
  const answer = await world.request(client, "session/delete", { sessionId: session });
  if (!isReached) {
    expect(answer["error"]).toMatchObject({ data: { code: "USER.SESSION.BUSY_ELSEWHERE" } });
    return ["held"];
  }
  expect(answer).toHaveProperty("result");
  if (prompt !== undefined) await world.limited("the answer of what was deleted", prompt.answer);
  detach(model, step);
  world.forget(session);
  return ["gone"];
}

function detach(model: Model, { client, session }: At): void {
  model.clients[client] = model.clients[client]?.filter((one) => one !== session) ?? null;
}

/** A prompt, and at once an event that ends it. It may not get a second answer, nor none while its client is there. */
export async function rush(model: Model, world: World, step: Extract<Step, { do: "rush" }>): Promise<Allowed> {
  const allowed: Allowed = [];
  const { state } = knownAt(model, step.session);
  const prompt = world.send(step.client, step.session, step.text);
  switch (step.next) {
    case "cancel":
    case "close":
      allowed[step.session] = await stop(model, world, { ...step, do: step.next });
      world.ends(prompt, await world.limited("the answer of what was stopped at once", prompt.answer), state);
      return allowed;
    case "delete":
      allowed[step.session] = await remove(model, world, step);
      world.ends(prompt, await world.limited("the answer of what was deleted at once", prompt.answer), state);
      return allowed;
    case "kill":
      await kill(model, world, step.client, allowed);
      if (state !== "held" && state !== "gone") allowed[step.session] = ["idle", "parked", "interrupted", "cut"];
      return allowed;
    case "leave": {
      await leave(model, world, step.client, allowed);
      const isAttended = world.way.isShared && model.clients.some((one) => one?.includes(step.session));
      if (state !== "held" && state !== "gone")
        allowed[step.session] = [
          "idle",
          "parked",
          ...(isAttended ? ["held" as const] : []),
          ...(state === "interrupted" ? [state] : []),
          ...(state === "cut" ? ["interrupted" as const, state] : []),
        ];
      return allowed;
    }
    default:
      return step.next satisfies never;
  }
}

/** Hangs up: what runs continues while another client attends it here, and is cancelled otherwise. */
export async function leave(model: Model, world: World, place: number, allowed: Allowed): Promise<void> {
  const client = world.client(place);
  const attended = model.clients[place] ?? [];
  model.clients[place] = null;
  world.clients[place] = null;
  const froms = world.clients.map((one) => one?.trace.length ?? 0);
  await world.limited("a goodbye", client.leave());
  for (const index of attended) {
    const known = knownAt(model, index);
    if (known.state !== "held" || !(world.way.isShared || known.by === place)) continue;
    const others = model.clients.flatMap((one, at) => (one?.includes(index) ? [at] : []));
    if (!world.way.isShared || others.length === 0) allowed[index] = ["idle"];
    else if (known.by === place && known.why !== "work") {
      known.by = null;
      const asked = others.map((at) => world.isAsked(world.client(at), world.session(index), froms[at] ?? 0));
      await world.limited("a question to go to another client", Promise.race(asked));
    } else if (known.by === place) known.by = null;
  }
}

export async function kill(model: Model, world: World, place: number, allowed: Allowed): Promise<void> {
  const gone = world.way.isShared ? world.clients.map((_, at) => at) : [place];
  for (const [index, { state, by }] of model.sessions.entries())
    if (state === "held" && (world.way.isShared || by === place)) allowed[index] = ["interrupted"];
  const client = world.client(place);
  for (const at of gone) {
    world.clients[at] = null;
    model.clients[at] = null;
  }
  await world.limited("an end by a kill", world.way.kill(client));
}

export function knownAt(model: Model, index: number): Model["sessions"][number] {
  const known = model.sessions[index];
  if (known === undefined) throw new Error(`session ${index} is not known`);
  return known;
}
