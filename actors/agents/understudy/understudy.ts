/**
 * The provider `understudy`: plays a script in a model's place, so that a workflow runs and is tested without one.
 *
 * I1. `options.script` is a path (relative to the step's folder), a list of actions, or `{turns, conversation}`.
 *     Without it the prompt is spoken back, whatever it says. Only with `options.prompt_as_script` some prompts are
 *     played: `stream:N` says N words, `stream:N@R` says R of them a second, `slow` waits until it is cancelled.
 * I2. The first event is the conversation's id. A script that cannot be played emits nothing and is `refused`.
 * I3. On abort it stops at once and settles as `cut`.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { type Json, own } from "../../../machines/model.ts";
import type { Pace } from "../../base/clock.ts";
import type { Agent, AgentRequest, AgentResult } from "../agent.ts";
import { CUT, type Failure, play } from "./play.ts";
import { type Parsed, parseScript, parseScriptText, type Script } from "./script.ts";
import { cue } from "./turn.ts";

/** Of a script's file. */
const MOST_BYTES = 64 * 1024 ** 2;

type ScriptLookup = { ok: true; script: Script } | { ok: false; message: string };

/** An agent that plays scripts. `clock` paces its rates and waits. */
export function understudy(clock: Pace): Agent {
  const agent: Agent = async (request, emit, signal) => {
    const found = await find(request, signal);
    if (signal.aborted) return failed(CUT);
    if (!found.ok) return failed({ class: "refused", message: found.message });
    const entry = cue(found.script, request.prompt, request.conversation);
    if (!entry.ok) return failed({ class: "refused", message: entry.message });
    emit({ type: "conversation", id: entry.conversation });
    return play(entry.play, { request, emit, signal, clock });
  };
  return Object.assign(agent, { takes: { model: "model", effort: "effort" } });
}

const failed = (failure: Failure): AgentResult => ({ status: "failed", ...failure, text: "", usage: null });

async function find({ options, prompt, cwd }: AgentRequest, signal: AbortSignal): Promise<ScriptLookup> {
  const script = own(options, "script");
  if (script === undefined || script === null)
    return judged(
      "The prompt cannot be played",
      parseScript(fromPrompt(prompt, own(options, "prompt_as_script") === true)),
    );
  if (typeof script !== "string") return judged("options.script cannot be played", parseScript(script));
  try {
    const source = await textOf(resolve(cwd, script), signal);
    return judged(`The script ${script} cannot be played`, parseScriptText(source));
  } catch (error) {
    const message = `options.script: cannot read "${script}" from the step's folder: ${(error as Error).message}`;
    return { ok: false, message };
  }
}

/** A plain file's: what waits for its other end, or has none, would hold the whole process. */
async function textOf(path: string, signal: AbortSignal): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error("it is no plain file");
    if (found.size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES / 1024 ** 2} MiB`);
    return await file.readFile({ encoding: "utf8", signal });
  } finally {
    await file.close();
  }
}

function judged(what: string, parsed: Parsed): ScriptLookup {
  return parsed.ok
    ? parsed
    : { ok: false, message: `${what}: ${parsed.faults.map((fault) => fault.message).join("; ")}` };
}

function fromPrompt(prompt: string, isScript: boolean): Json {
  const text = isScript ? prompt.trim() : "";
  if (text === "slow") return [{ say: "started" }, { wait: "until cancelled" }];
  const stream = /^stream:(\d+)(?:@(\d+(?:\.\d+)?))?$/.exec(text);
  if (stream === null) return [{ say: "{{prompt}}" }];
  const count = Number(stream[1]);
  return [{ say: stream[2] === undefined ? { count } : { count, rate: Number(stream[2]) } }];
}
