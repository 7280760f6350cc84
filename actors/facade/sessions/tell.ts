/**
 * A person says something to an agent while it works, whichever process runs it.
 *
 * I1. What is said goes to one step: where several agents work, it is named, as `troupe status` shows it.
 * I2. Nothing is taken that no agent works for, and the answer says when its agent gets what was taken.
 */
import type { Block, Guidance, Reach } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import { type Address, isMeant, textOf } from "../../../machines/naming/address.ts";
import { Places } from "../../../machines/naming/places.ts";
import { readPrompt, writtenOut } from "../../../machines/prompt/prompt-text.ts";
import type { TellAnswer, TellRequest } from "../../api/records.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { Host } from "../../host/host.ts";
import { checkedObject } from "../call-forms.ts";
import { refuse } from "../refuse.ts";
import type { Runtime } from "../runtime.ts";

/** Longer words belong in a file that they name. */
export const MAX_TOLD_BYTES = 64 * 1024;
type Working = { key: Key; run: string; step: string; name: string; address: Address };

/**
 * As `Session.tell`; durable when it resolves. Throws USER.INPUT.EMPTY, USER.PROMPT.TOO_LARGE,
 * USER.PROMPT.UNSUPPORTED_BLOCK, USER.TELL.NOBODY, USER.TELL.AMBIGUOUS, and USER.SESSION.BUSY_ELSEWHERE where the
 * process that runs the agent does not read.
 */
export async function tell(runtime: Runtime, session: Key, request: TellRequest): Promise<TellAnswer> {
  const { host, options } = runtime;
  const working = agentsAtWork(host, session, checkedObject("request", request).run ?? null);
  const { step, text } = "words" in request ? addressed(wordsOf(request), working) : request;
  if (text.trim() === "") throw new TroupeError("USER.INPUT.EMPTY", "say what the agent is to hear");
  if (Buffer.byteLength(text) > MAX_TOLD_BYTES) {
    const message = `an agent takes at most ${MAX_TOLD_BYTES} bytes at once: put more into a file and name that`;
    throw new TroupeError("USER.PROMPT.TOO_LARGE", message);
  }
  const to = chosen(working, step ?? null);
  const id = options.ids("tell");
  const delivery = await host.write(to.key, { type: "guidance.given", tell: id, text } as never);
  if (!delivery.accepted && delivery.reason !== "owned") throw nobody(to.name);
  refuse(delivery, session.slice("session/".length));
  return { tell: id, run: to.run, step: to.step, reach: reachOf(host, session, id) };
}

/** Links and texts of files stand in what is said as they do in a prompt; it has no room for bytes. */
function wordsOf({ words, more = [] }: Extract<TellRequest, { words: string }>): string {
  const blocks: Block[] = [{ type: "text", text: words }];
  for (const block of more) {
    if ("data" in block) throw unsupported(`a block of type "${block.type}"`);
    blocks.push(block);
  }
  const read = readPrompt(blocks);
  if (!read.ok) throw unsupported("one of these blocks");
  return writtenOut(read);
}
const unsupported = (what: string): TroupeError =>
  new TroupeError(
    "USER.PROMPT.UNSUPPORTED_BLOCK",
    `an agent at work is told text, links to files and texts of files, not ${what}: name a file`,
  );

/** The machine has written it down before it answered. */
function reachOf(host: Host, session: Key, id: string): Reach {
  for (const { payload } of host.backwards(session, { types: ["message.user"] })) {
    const said = payload as Partial<Guidance>;
    if (said.tell === id) return said.reach ?? "next turn";
  }
  return "next turn";
}

/**
 * `/tell review use tabs`, `/tell review[src/a.ts] use tabs`: the first word is a step's name where an agent of that
 * name works. A plain word names no step above it: it may be the first of what is said.
 */
function addressed(words: string, working: readonly Working[]): { text: string; step: string | null } {
  const [, first = "", rest = ""] = /^\s*(\S+)\s*([\s\S]*)$/.exec(words) ?? [];
  const names = /[[/]/.test(first) ? isCalled : isNamedSo;
  const isNamed = rest !== "" && working.some((one) => names(one, first));
  return isNamed ? { text: rest, step: first } : { text: words.trim(), step: null };
}

const isNamedSo = ({ step, name }: Working, called: string): boolean => called === step || called === name;
const isCalled = (one: Working, called: string): boolean => isNamedSo(one, called) || isMeant(one.address, called);
const listed = (working: readonly Working[]): string => working.map(({ address }) => textOf(address)).join(", ");

function chosen(working: readonly Working[], step: string | null): Working {
  const found = step === null ? working : working.filter((one) => isCalled(one, step));
  const [first, ...others] = found;
  if (first === undefined) throw nobody(step, working);
  if (others.length === 0) return first;
  const names = listed(found);
  throw new TroupeError("USER.TELL.AMBIGUOUS", `several agents work: name one of the steps ${names}`, { steps: names });
}

function nobody(step: string | null, working: readonly Working[] = []): TroupeError {
  const where = step === null ? "no agent works here now" : `no agent works at step "${step}" now`;
  const others = listed(working);
  const next = others === "" ? "see troupe status, and answer what waits or start a run" : `agents work at ${others}`;
  return new TroupeError("USER.TELL.NOBODY", `${where}: ${next}`, step === null ? {} : { step });
}

/** The steps of a session, or of one run and those that it calls, whose agents work, or wait for their next attempt. */
function agentsAtWork(host: Host, session: Key, run: string | null): Working[] {
  // A run without a process has to be resumed first.
  if (host.head(session) === 0 || host.sessions.find(session)?.isOwned !== true) return [];
  const found = host.sessions.machines([session]).flatMap(({ actorRef, snapshot }): Omit<Working, "address">[] => {
    if (!actorRef.id.startsWith("step/")) return [];
    const { value, context } = JSON.parse(snapshot()) as StepSeen;
    const { node, origin } = context.birth;
    if (node.type !== "agent" || !isAtWork(value)) return [];
    return [{ key: actorRef.id, run: origin.run, step: origin.step, name: node.name }];
  });
  if (found.length === 0) return [];
  const places = new Places();
  for (const row of [...host.backwards(session, { types: ["run.started", "step.started"] })].reverse()) places.see(row);
  const ofRun = found.filter((one) => run === null || places.isOf(one.run, run));
  return ofRun.map((one) => ({ ...one, address: places.of(one.run, one.step) }));
}

type StepSeen = {
  value: unknown;
  context: { birth: { node: { type: string; name: string }; origin: { run: string; step: string } } };
};
const isAtWork = (value: unknown): boolean =>
  value === "backing off" || (typeof value === "object" && value !== null && "attempting" in value);
