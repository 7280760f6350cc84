/**
 * The skeleton of a provider whose program runs once for each turn and keeps the conversations itself. What a program
 * is like stays in the provider's folder.
 *
 * I1. A conversation of another step, or of an earlier run, that the program does not know is refused: its words are
 *     lost. One of an earlier attempt of this very step can have ended before the program kept anything: it begins
 *     anew.
 * I2. A conversation's id is reported once, however often the program repeats it.
 * I3. Each call has a name of its own, also where the program gives an id again, or none (`call-names.ts`).
 */
import type { AttachmentKind } from "../../machines/prompt/attachment.ts";
import type { Timers } from "../base/clock.ts";
import type { AllowedEnvironment } from "../process/environment.ts";
import { type Running, type SpawnOptions, spawnProcess } from "../process/spawn.ts";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "./agent.ts";
import { CallNames } from "./call-names.ts";
import { type Scratch, withScratch } from "./scratch.ts";

/** The form that most programs give an id. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What one run of the program has; the folder is its own, and made when it is first asked for. */
export type Stage = {
  request: AgentRequest;
  emit: (event: AgentEvent) => void;
  signal: AbortSignal;
  spawn: (options: SpawnOptions) => Running;
  scratch: Scratch;
  clock: Timers | undefined;
};
/** `isUnknown`: the program does not know the conversation, so nothing was asked of the model. */
export type Played = AgentResult & { isUnknown?: boolean };

/** `C`: how the provider names a conversation to its program. */
export type ProgramAgent<C> = {
  /** As messages call it. */
  name: string;
  /** How its user signs in: a command of its own. */
  signIn: string;
  /** What it takes of the user's environment. */
  environment: AllowedEnvironment;
  takes: NonNullable<Agent["takes"]>;
  content?: readonly AttachmentKind[];
  /** The form of its conversations' ids. */
  id: RegExp;
  /** Where it keeps conversations. */
  keeps?: { below: string; perFolder?: true };
  /** A new conversation; `again`: the id of an attempt of which nothing was kept. */
  begins: (again: string | null) => C;
  /** One that is continued. */
  goesOn: (id: string, request: AgentRequest) => C;
  /** One run of the program. */
  play: (conversation: C, stage: Stage) => Promise<Played>;
  /** Starts the program; a test starts another one. */
  spawn?: Stage["spawn"] | undefined;
  /** How long it may take to end, once it has said all. */
  clock?: Timers | undefined;
};

export function programAgent<C>(program: ProgramAgent<C>): Agent {
  const { environment, takes, content, signIn, spawn = spawnProcess, clock } = program;
  const resultOf = (played: Played): AgentResult => ended(played, signIn);
  const agent: Agent = async (request, emit, signal) => {
    const { conversation, continues, attempt } = request;
    const play = (one: C, known: string | null): Promise<Played> =>
      withScratch((scratch) =>
        program.play(one, { request, emit: tellingOnce(known, emit), signal, spawn, scratch, clock }),
      );
    if (conversation === null) return resultOf(await play(program.begins(null), null));
    if (!program.id.test(conversation)) return unknown(conversation, request, program);
    const played = await play(program.goesOn(conversation, request), conversation);
    if (played.isUnknown !== true || signal.aborted) return resultOf(played);
    if (continues || attempt === 1) return unknown(conversation, request, program);
    emit({ type: "notice", severity: "info", message: "nothing was said in the conversation yet; it begins anew" });
    return resultOf(await play(program.begins(conversation), null));
  };
  return Object.assign(agent, { environment, takes, ...(content === undefined ? {} : { content }) });
}

/** Programs name ways to sign in that only they have: a person gets the command. */
function ended({ isUnknown: _, ...result }: Played, signIn: string): AgentResult {
  if (result.status !== "failed" || result.class !== "auth") return result;
  return { ...result, message: `${result.message.replace(/\.$/, "")}. To sign in: ${signIn}` };
}

/** `known`: the id that need not be reported (I2). */
function tellingOnce(known: string | null, emit: Stage["emit"]): Stage["emit"] {
  let told = known;
  const names = new CallNames();
  return (event) => {
    if (event.type === "conversation") {
      if (event.id === told || event.id === "") return; // an empty one names no conversation
      told = event.id;
    }
    emit(names.named(event));
  };
}

function unknown<C>(id: string, { cwd }: AgentRequest, { name, keeps }: ProgramAgent<C>): AgentResult {
  const perFolder = keeps?.perFolder === true;
  const where =
    keeps === undefined ? "" : `: it keeps conversations ${perFolder ? "per folder, " : ""}below ${keeps.below}`;
  const message =
    `${name} does not know the conversation "${id}"${perFolder ? ` in ${cwd}` : ""}${where}. ` +
    "Run the step that began it again";
  return { status: "failed", class: "refused", message, text: "", usage: null };
}
