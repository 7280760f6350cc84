/**
 * One run in the foreground: its log shown as it grows, its questions asked, a wish to stop turned into a cancel.
 *
 * I1. The first wish to stop cancels the run and waits for its end; the second ends the process at once. While a parked
 *     run's question is asked, only an interrupt cancels it: when the terminal goes, the run stays parked.
 *     A cancel that cannot be written, or is another process's to do, is the error that it rejects with.
 * I2. When it returns, and when it asks, every row that was committed has been shown, once.
 * I3. A parked run that cannot be asked about here is left parked, and how to answer is said last. One that is not kept
 *     is cancelled.
 */
import { type Parked, type Run, troupeError } from "../../actors/troupe.ts";
import { answersItself } from "../../projections/shared/ask-form.ts";
import { converse, leave } from "./converse.ts";
import type { CommandContext } from "./io.ts";
import type { Output } from "./options.ts";
import { CANCELLED_EXIT, exitCodeOf } from "./outcome.ts";
import { type Watched, watch } from "./run-view.ts";
import { Live } from "./screen/live.ts";

/**
 * `after`: rows up to this seq were shown before. `converses`: the questions of a parked run are asked here. `keeps`: a
 * run that is left parked can be answered later; by default it can. `elsewhere`: another face may decide what it asks
 * where there is no one at this terminal.
 */
export type FollowOptions = { after: number; converses: boolean; keeps?: boolean; elsewhere?: boolean; output: Output };
const HELD_MS = 2 ** 30;
/** What a wish to stop does now. */
type Stops = { isStopped: boolean; act: (isInterrupt: boolean) => void; cancel: (run: Run) => void };

/**
 * Starts a run and shows what comes. Resolves with the exit code; rejects with the error of a run that did not begin.
 */
export async function follow(
  { io: plain, format }: CommandContext,
  { after, converses, keeps = true, elsewhere = false, output }: FollowOptions,
  start: () => Promise<Run>,
): Promise<number> {
  const { canvas } = plain;
  const live = canvas === null || format === "json" || output !== "compact" ? null : new Live(plain, canvas);
  const io = live?.io ?? plain;
  const context = { io, format };
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => undefined); // it may come when nothing is waited for any more
  const cancel = (run: Run): void => void run.cancel().catch(refused.reject);
  const stops: Stops = { isStopped: false, act: () => undefined, cancel };
  const unstop = io.onStop((why) => {
    // Every write finds that the reader has gone: the wish is noted once.
    if (stops.isStopped) return why === "closed" ? undefined : io.exitNow(CANCELLED_EXIT);
    stops.isStopped = true;
    if (why === "interrupt") io.err("\ntroupe: cancelling; once more stops at once\n");
    stops.act(why === "interrupt");
  });
  // While a run waits for somebody elsewhere nothing else keeps the process.
  const held = setInterval(() => undefined, HELD_MS);
  try {
    const run = await start();
    const watched = watch(run, context, { after, keeps, elsewhere, output, live });
    const attended = attend(run, watched, { ...context, stops, converses: converses && io.asks, keeps, elsewhere });
    return await Promise.race([attended, watched.broken, refused.promise]).finally(watched.end);
  } catch (error) {
    // Nothing was trusted, and nothing was run, because the user stopped it.
    if (stops.isStopped && troupeError(error).code.startsWith("USER.TRUST.")) return CANCELLED_EXIT;
    throw error;
  } finally {
    clearInterval(held);
    unstop();
    live?.end();
  }
}

type Attending = CommandContext & { stops: Stops; converses: boolean; keeps: boolean; elsewhere: boolean };
/** Values for none of a form's questions. */
const DEFAULTS = "{}";
/** Without a person here or elsewhere, questions that all have a default answer themselves. */
const isAnsweredHere = (
  { form }: Parked["questions"][number],
  { asks }: CommandContext["io"],
  elsewhere: boolean,
): boolean => form !== undefined && !asks && !elsewhere && answersItself(form);

/** Turn after turn, until the run has ended or is left as it is. */
async function attend(
  first: Run,
  watched: Watched,
  { stops, converses, keeps, elsewhere, ...context }: Attending,
): Promise<number> {
  for (let run = first; ; ) {
    stops.act = () => {
      watched.withdraw();
      stops.cancel(run);
    };
    if (stops.isStopped) stops.act(false);
    const result = await run.done;
    const { outcome } = result;
    const isParked = outcome.status === "parked";
    const [question] = isParked ? outcome.questions : [];
    if (question !== undefined && !converses && !stops.isStopped && isAnsweredHere(question, context.io, elsewhere)) {
      watched.catchUp();
      context.io.err("troupe: there is no one to ask here: each question gets its default\n");
      run = await run.answer(question.input, DEFAULTS);
      continue;
    }
    if (question === undefined || !converses || stops.isStopped) {
      // The wish to stop came when the turn had ended: it is the parked run that is cancelled.
      if (isParked && stops.isStopped) return await watched.ended.then(() => CANCELLED_EXIT);
      watched.catchUp();
      if (isParked && !keeps) return await giveUp(run, watched, { ...context, stops });
      leave(context, result, { ...watched, isShown: watched.hasShown, keeps });
      return exitCodeOf(result);
    }
    watched.catchUp();
    const asking = new AbortController();
    let isCancelled = false;
    const held = run;
    stops.act = (isInterrupt) => {
      asking.abort();
      isCancelled = isInterrupt;
      if (isInterrupt) stops.cancel(held);
    };
    let isAnswered = false;
    watched.onAnswer(question.input, () => {
      isAnswered = true;
      asking.abort();
    });
    const text = await converse(context.io, question, !watched.hasShown(question.input), asking.signal);
    if (isCancelled) return await watched.ended.then(() => CANCELLED_EXIT);
    if (text === null) {
      if (isAnswered) context.io.err(`\ntroupe: answered elsewhere; troupe status ${run.id} says what came of it\n`);
      else if (!keeps) return await giveUp(run, watched, { ...context, stops });
      else leave(context, result, { ...watched, isShown: watched.hasShown, keeps });
      return exitCodeOf(result);
    }
    run = await run.answer(question.input, text);
  }
}

/** It cannot be answered here, and nothing of it is kept for later. */
async function giveUp(run: Run, watched: Watched, { io, stops }: Pick<Attending, "io" | "stops">): Promise<number> {
  io.err("troupe: cancelled: it waits for an answer, which no one can give here, and --ephemeral keeps nothing\n");
  stops.cancel(run);
  await watched.ended;
  return CANCELLED_EXIT;
}
