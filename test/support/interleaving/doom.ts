/**
 * A process that ends itself at the n-th commit: before it, within it, behind it.
 *
 * I1. What was answered has happened, whatever came after the answer.
 */
import type { Message } from "../acp-editor.ts";
import type { Client } from "./client.ts";
import { type Allowed, kill, knownAt } from "./ends.ts";
import { afterDoom } from "./expected.ts";
import type { Model, Step } from "./steps.ts";
import { isQuestion, type Question, type World, waitsIn } from "./world.ts";

type Doom = Extract<Step, { do: "doom" }>;

/** Kills whom the newcomer replaces; settles when that one has ended as well. */
export async function doom(model: Model, world: World, step: Doom, allowed: Allowed): Promise<void> {
  const there = world.clients.findIndex(
    (client, place) => client !== null && (world.way.isShared || place === step.client),
  );
  if (there !== -1) await kill(model, world, there, allowed);
  const known = knownAt(model, step.session);
  const state = allowed[step.session]?.[0] ?? known.state;
  const client = await world.enterDoomed(step.at, step.nth);
  const answer = client === null ? null : await lastWords(world, client, step);
  await world.limited("an end by itself", world.way.kill(client));
  const isAnswered = answer !== null && !("error" in answer);
  const isGone = isAnswered && step.act === "delete" && state !== "held";
  if (isGone) world.forget(world.session(step.session));
  allowed[step.session] = afterDoom({ ...known, state }, step.act, isAnswered);
}

/** Its answer to what it was asked for; null where it died before, or has begun what does not end by itself. */
async function lastWords(world: World, client: Client, { session, act }: Doom): Promise<Message | null> {
  const sessionId = world.session(session);
  const survived = <T>(answer: Promise<T>): Promise<T | null> =>
    world.limited(
      `an answer or an end after ${act}`,
      answer.catch(() => null),
    );
  const loaded = await survived(client.request("session/load", world.at(session)));
  if (loaded === null) return null;
  if (act === "close" || act === "delete")
    return (await survived(client.request(`session/${act}`, { sessionId }))) as Message | null;
  const prompt = act === "" ? [] : [{ type: "text", text: act }];
  const from = client.trace.length;
  const answer = client
    .request("session/prompt", { sessionId, prompt })
    .then((message) => ({ answer: message as Message }));
  const waits = (mark: number) => client.sees(({ message }) => waitsIn(message, sessionId), mark);
  for (let mark = from; ; mark = client.trace.length) {
    const met = await survived(Promise.race([answer, waits(mark)]));
    if (met === null || "answer" in met) return met?.answer ?? null;
    if (!isQuestion(met.message, sessionId)) return null;
    const { id, params } = met.message as unknown as { id: unknown; params: Pick<Question, "options"> };
    client.answer(id, params.options.find(({ kind }) => kind === "allow_once")?.optionId ?? null);
  }
}
