/** Does a step to the world, and looks at the result. `expected.ts` says which states are allowed. */
import { expect } from "vitest";
import { storedRows } from "../house.ts";
import { doom } from "./doom.ts";
import { type Allowed, kill, knownAt, leave, remove, rush, stop } from "./ends.ts";
import { afterChoice, afterOpening, afterPrompt } from "./expected.ts";
import { checkAll } from "./invariants.ts";
import type { Model, Step } from "./steps.ts";
import type { World } from "./world.ts";

/** What a session gets that is not there. */
const UNKNOWN = -32002;

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
      const isGone = knownAt(model, step.session).state === "gone";
      const isOwn = world.inFlight(world.session(step.session))?.client === client;
      const from = client.trace.length;
      const answer = await world.request(client, `session/${step.do}`, world.at(step.session));
      if (isGone) expect(answer["error"]).toMatchObject({ code: UNKNOWN });
      else if (isOwn) expect(answer["error"]).toMatchObject({ code: -32600 });
      else expect(answer["error"]).toBeUndefined();
      if (isGone || isOwn) return allowed;
      world.follows(client, world.session(step.session), step.do === "load" ? from : null);
      if (model.clients[place]?.includes(step.session) === false) model.clients[place]?.push(step.session);
      allowed[step.session] = afterOpening(knownAt(model, step.session));
      return allowed;
    }
    case "prompt": {
      const known = knownAt(model, step.session);
      const isRefused = known.state === "held";
      const prompt = world.send(place, step.session, step.text);
      if (known.state === "gone") {
        const { error } = await world.limited("a refusal", prompt.answer);
        expect(error).toMatchObject({ code: UNKNOWN });
        return allowed;
      }
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
      allowed[step.session] = await stop(model, world, { ...step, do: step.do });
      return allowed;
    case "delete":
      allowed[step.session] = await remove(model, world, step);
      return allowed;
    case "rush":
      return rush(model, world, step);
    case "leave":
      await leave(model, world, place, allowed);
      return allowed;
    case "kill":
      await kill(model, world, place, allowed);
      return allowed;
    case "doom":
      await doom(model, world, step, allowed);
      return allowed;
    default:
      return step satisfies never;
  }
}
