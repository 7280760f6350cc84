/** Does a step to the world, and looks at what it left. Allowed states are told by `expected.ts`. */
import { expect } from "vitest";
import { storedRows } from "../house.ts";
import { afterChoice, afterPrompt } from "./expected.ts";
import { checkAll } from "./invariants.ts";
import type { Model, State, Step } from "./steps.ts";
import type { World } from "./world.ts";

export async function play(model: Model, world: World, step: Step): Promise<void> {
  const before = model.sessions.map((one) => ({ ...one }));
  const heads = world.sessions.map((session) => storedRows(world.house.store, session).length);
  const marks = new Map(world.everyone.map((client) => [client, client.trace.length]));
  world.begun.push({ session: "session" in step ? (world.sessions[step.session] ?? null) : null, marks });
  const allowed = await done(model, world, step);
  for (const [index, session] of world.sessions.entries()) {
    const known = knownAt(model, index);
    const seen = await world.reaches(session, allowed[index] ?? [known.state]);
    if (seen.state !== "held") known.by = null;
    Object.assign(known, { state: seen.state, why: seen.why });
    const isTouched = "session" in step ? step.session === index : step.do === "decide";
    if (before[index]?.state === "parked" && !isTouched)
      expect(storedRows(world.house.store, session).length, "a parked session stays as it is").toBe(heads[index]);
  }
  checkAll(model, world);
}

type Allowed = (readonly State[] | undefined)[];

/** Does it; answers the states that are allowed behind it, of the sessions that it may change. */
async function done(model: Model, world: World, step: Step): Promise<Allowed> {
  const allowed: Allowed = [];
  const place = step.client;
  switch (step.do) {
    case "enter":
      await world.enter(place);
      model.clients[place] = [];
      return allowed;
    case "open": {
      const { result } = await world.request(world.client(place), "session/new", {
        cwd: world.house.cwd,
        mcpServers: [],
      });
      world.sessions.push((result as { sessionId: string }).sessionId);
      model.clients[place]?.push(model.sessions.length);
      model.sessions.push({ state: "idle", why: "work", by: null });
      return allowed;
    }
    case "load":
    case "resume": {
      const client = world.client(place);
      const isOwn = world.inFlight(world.session(step.session))?.client === client;
      const from = client.trace.length;
      const answer = await world.request(client, `session/${step.do}`, world.at(step.session));
      if (isOwn) expect(answer["error"]).toMatchObject({ code: -32600 });
      else expect(answer["error"]).toBeUndefined();
      if (isOwn) return allowed;
      world.follows(client, world.session(step.session), step.do === "load" ? from : null);
      if (model.clients[place]?.includes(step.session) === false) model.clients[place]?.push(step.session);
      return allowed;
    }
    case "prompt": {
      const known = knownAt(model, step.session);
      const isRefused = known.state === "held";
      const prompt = world.send(place, step.session, step.text);
      if (isRefused) {
        expect(await world.limited("a refusal", prompt.answer)).toHaveProperty("error");
        return allowed;
      }
      const isAnswered = await world.settled(prompt);
      if (isAnswered) expect(await prompt.answer).toHaveProperty("result.stopReason");
      else known.by = place;
      allowed[step.session] = afterPrompt(known, step.text).filter((state) => (state === "held") !== isAnswered);
      return allowed;
    }
    case "decide":
    case "repeat": {
      const client = world.client(place);
      const asked = world.question(client);
      if (asked === null) return allowed;
      const { question, isClosed } = asked;
      const index = world.sessions.indexOf(question.session);
      const known = knownAt(model, index);
      const isOpen = known.state === "held" && (known.by ?? place) === place && known.why !== "work" && !isClosed;
      if (step.do === "repeat" && isOpen) return allowed;
      if (step.do === "repeat" || !isOpen) {
        world.answer(client, question, "yes");
        await world.request(client, "session/list", {}); // in order: the answer before it was looked at
        return allowed;
      }
      const prompt = world.inFlight(question.session);
      const from = client.trace.length;
      world.answer(client, question, step.choice);
      const states = afterChoice(known, step.choice);
      const ended =
        prompt === undefined ? await world.goesOn(client, question.session, from) : await world.settled(prompt, from);
      allowed[index] = states.filter((state) => (state === "held") !== ended);
      return allowed;
    }
    case "cancel":
    case "close":
      allowed[step.session] = await stop(model, world, step);
      return allowed;
    case "rush":
      return rush(model, world, step);
    case "leave":
      await leave(model, world, place, allowed);
      return allowed;
    case "kill":
      await kill(model, world, place, allowed);
      return allowed;
    default:
      return step satisfies never;
  }
}

type At = { client: number; session: number };
/** Whether a cancel of this client comes to the process that runs the session. */
const reachesRunner = (model: Model, world: World, { client, session }: At): boolean => {
  const { by, state } = knownAt(model, session);
  return state !== "held" || world.way.isShared || by === client;
};

/** Cancels or closes; what ran has ended when it settles. */
async function stop(model: Model, world: World, step: At & { do: "cancel" | "close" }): Promise<readonly State[]> {
  const client = world.client(step.client);
  const session = world.session(step.session);
  const isReached = reachesRunner(model, world, step);
  const prompt = isReached ? world.inFlight(session) : undefined;
  if (step.do === "cancel") client.notify("session/cancel", { sessionId: session });
  else {
    expect(await world.request(client, "session/close", { sessionId: session })).toHaveProperty("result");
    const attended = model.clients[step.client];
    model.clients[step.client] = attended?.filter((one) => one !== step.session) ?? null;
    world.follows(client, session, null);
  }
  if (prompt !== undefined) await world.limited("the answer of what was stopped", prompt.answer);
  return isReached ? ["idle"] : ["held"];
}

/** A prompt, and at once what ends it: all that may not come of it is a second answer, or none while somebody is there. */
async function rush(model: Model, world: World, step: Extract<Step, { do: "rush" }>): Promise<Allowed> {
  const allowed: Allowed = [];
  const { state } = knownAt(model, step.session);
  const prompt = world.send(step.client, step.session, step.text);
  switch (step.then) {
    case "cancel":
    case "close":
      allowed[step.session] = await stop(model, world, { ...step, do: step.then });
      await world.limited("the answer of what was stopped at once", prompt.answer);
      return allowed;
    case "kill":
      await kill(model, world, step.client, allowed);
      if (state !== "held") allowed[step.session] = ["idle", "parked", "interrupted"];
      return allowed;
    case "leave": {
      await leave(model, world, step.client, allowed);
      const isAttended = world.way.isShared && model.clients.some((one) => one?.includes(step.session));
      if (state !== "held")
        allowed[step.session] = [
          "idle",
          "parked",
          ...(isAttended ? ["held" as const] : []),
          ...(state === "interrupted" ? [state] : []),
        ];
      return allowed;
    }
    default:
      return step.then satisfies never;
  }
}

/** Hangs up: what runs goes on while somebody else attends it here, and is cancelled otherwise. */
async function leave(model: Model, world: World, place: number, allowed: Allowed): Promise<void> {
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
      await world.limited("a question to go to somebody else", Promise.race(asked));
    } else if (known.by === place) known.by = null;
  }
}

async function kill(model: Model, world: World, place: number, allowed: Allowed): Promise<void> {
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

function knownAt(model: Model, index: number): Model["sessions"][number] {
  const known = model.sessions[index];
  if (known === undefined) throw new Error(`session ${index} is not known`);
  return known;
}
