/**
 * One request to the model and its answer, asked again where that is worth it.
 *
 * I1. A request is made again only before anything of its answer was reported, at most `maxRetries` times, each
 *     reported.
 * I2. `retry-after` and `retry-after-ms` are honoured; where it asks for more than MAX_WAIT_MS, or no retry is left, the request fails at once
 *     and says how long the pause is.
 * I3. A server that says nothing for `idleMs` is given up; an abort ends the request. An answer that was whole by then
 *     counts; what may follow it is waited for only LAST_WORDS_MS.
 */
import type { Json } from "../../../machines/model.ts";
import type { Pace, Timers } from "../../base/clock.ts";
import { parsed } from "../../base/json.ts";
import type { AgentErrorClass, AgentEvent, AgentRequest } from "../agent.ts";
import { classOfStatus, NO_CREDIT } from "../status.ts";
import { ChatAnswer } from "./answer.ts";
import type { CallIds } from "./call-ids.ts";
import { errorWords } from "./messages.ts";
import type { Settings } from "./options.ts";
import { streamed, TooLong, whole } from "./stream.ts";

export const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 1000;
/** Behind an answer comes at most what it cost; some servers then say no more, and stay. */
export const LAST_WORDS_MS = 5_000;
const LONGEST_WORDS = 500;
/** An error's body is read up to here, in UTF-16 units. */
const MAX_BODY = 64 * 1024;

export type Failure = { class: AgentErrorClass; message: string };
export type PostResult = { answer: ChatAnswer; failure: Failure | null };
type Attempt = PostResult & { retry: { afterMs: number | null } | null };
export type Posting = {
  settings: Settings;
  emit: (event: AgentEvent) => void;
  signal: AbortSignal;
  clock: Pace;
  timers: Timers;
  mayAsk?: AgentRequest["mayAsk"];
  /** For the calls of the answers. */
  ids: CallIds;
};

/** Settles after an abort too, with what was reported until then. */
export async function post(body: { [name: string]: Json }, posting: Posting): Promise<PostResult> {
  const { settings, emit, signal, clock } = posting;
  for (let retry = 1; ; retry++) {
    const { answer, failure, retry: again } = await attempt(body, posting);
    if (failure === null || again === null || signal.aborted) return { answer, failure };
    const isLimit = failure.class === "rate_limit";
    if (retry > settings.maxRetries) {
      if (isLimit && again.afterMs !== null) emit({ type: "limited", pause: { afterMs: again.afterMs } });
      return { answer, failure };
    }
    const ms = again.afterMs ?? Math.min(FIRST_WAIT_MS * 2 ** (retry - 1), MAX_WAIT_MS);
    const seconds = (ms / 1000).toFixed(1);
    if (ms > MAX_WAIT_MS) {
      if (isLimit) emit({ type: "limited", pause: { afterMs: ms } });
      return { answer, failure: { ...failure, message: `${failure.message}; it asks for a pause of ${seconds} s` } };
    }
    const message = `${failure.message}; retry ${retry} of ${settings.maxRetries} in ${seconds} s`;
    emit({ type: "notice", severity: "warning", message });
    const wait = isLimit && posting.mayAsk !== undefined ? posting.mayAsk(ms, signal) : clock.sleep(ms, signal);
    await wait.catch(() => undefined);
    if (signal.aborted) return { answer, failure };
  }
}

async function attempt(
  body: { [name: string]: Json },
  { settings, emit, signal, timers, ids }: Posting,
): Promise<Attempt> {
  const answer = new ChatAnswer(ids);
  const idle = new AbortController();
  const patience = (): number => (isWhole(answer) ? Math.min(settings.idleMs, LAST_WORDS_MS) : settings.idleMs);
  const wait = () => timers.after(patience(), () => idle.abort());
  let unwait = wait();
  const alive = (): void => {
    unwait();
    unwait = wait();
  };
  const again = (): Attempt["retry"] => (answer.isTold ? null : { afterMs: null });
  try {
    const response = await fetch(settings.url, {
      method: "POST",
      headers: { ...settings.headers, "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(body),
      redirect: "error", // the key would go along
      signal: AbortSignal.any([signal, idle.signal]),
    });
    alive();
    if (!response.ok) return { answer, ...(await refused(response, settings)) };
    if (typeOf(response).includes("html")) {
      await response.body?.cancel();
      return { answer, retry: null, failure: noModel(settings) };
    }
    await read(response, answer, emit, alive);
  } catch (error) {
    if (error instanceof TooLong) return { answer, retry: null, failure: { class: "cut", message: error.message } };
    if (isWhole(answer)) return { answer, retry: null, failure: null };
    if (idle.signal.aborted) return { answer, retry: null, failure: late(settings) };
    const message = brokenOff(error, settings);
    return { answer, retry: again(), failure: { class: answer.isTold ? "cut" : "network", message } };
  } finally {
    unwait();
  }
  const { error } = answer;
  if (error !== null) {
    const message = `the model's answer broke off: ${error.message}`;
    return { answer, retry: isPassing(error.class) ? again() : null, failure: { class: error.class, message } };
  }
  if (isWhole(answer)) return { answer, retry: null, failure: null };
  const failure: Failure = { class: answer.isTold ? "cut" : "network", message: "the model's answer ended half-way" };
  return { answer, retry: again(), failure };
}

/** It has said why it ended: that the server then hangs up, or says no more, takes nothing from it. */
const isWhole = ({ reason, error }: ChatAnswer): boolean => reason !== null && error === null;

async function read(
  response: Response,
  answer: ChatAnswer,
  emit: (event: AgentEvent) => void,
  alive: () => void,
): Promise<void> {
  const content = typeOf(response).includes("json") ? whole(answer, emit) : streamed(answer, emit);
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    content.push(decoder.decode(bytes as Uint8Array, { stream: true }));
    alive();
    if (answer.isDone) break;
  }
  content.push(decoder.decode());
  content.end();
}

async function refused(response: Response, { hasKey }: Settings): Promise<Pick<Attempt, "failure" | "retry">> {
  const { status, headers } = response;
  const text = await beginningOf(response);
  const words = (errorWords(parsed(text)) ?? text.trim()).slice(0, LONGEST_WORDS);
  const name = status < 500 && NO_CREDIT.test(text) ? "no_credit" : classOfStatus(status);
  const hint =
    name !== "auth" || hasKey
      ? ""
      : '. No key was sent: give options.api_key as a template, "{{.env.OPENAI_API_KEY}}"; the key of the environment goes only to OPENAI_BASE_URL';
  const message = `the model's answer was ${status}${words === "" ? "" : ` (${words})`}${hint}`;
  return { failure: { class: name, message }, retry: isPassing(name) ? { afterMs: pauseOf(headers) } : null };
}

/** What has come of a body that breaks off, or goes on without end. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes as Uint8Array, { stream: true });
      if (text.length >= MAX_BODY) break;
    }
  } catch {
    // The status says enough.
  }
  return text.slice(0, MAX_BODY);
}

const isPassing = (name: AgentErrorClass): boolean =>
  name === "rate_limit" || name === "overloaded" || name === "network";

const NUMBER = /^\d+(\.\d+)?$/;

/** `retry-after-ms`, which says it more precisely; `retry-after`: seconds, or a date beside the server's own. */
function pauseOf(headers: Headers): number | null {
  const ms = headers.get("retry-after-ms")?.trim() ?? "";
  if (NUMBER.test(ms)) return Number(ms);
  const after = headers.get("retry-after");
  if (after === null) return null;
  if (NUMBER.test(after.trim())) return Number(after) * 1000;
  const [until, now] = [Date.parse(after), Date.parse(headers.get("date") ?? "")];
  return Number.isNaN(until) || Number.isNaN(now) ? null : Math.max(0, until - now);
}

const typeOf = ({ headers }: Response): string => headers.get("content-type") ?? "";

/** A page for people: of a server's front, of a proxy, or of a sign-in to the network. */
const noModel = ({ url }: Settings): Failure => ({
  class: "refused",
  message: `what answers at ${url} is a web page, and no model: look at base_url, which for most servers ends with /v1`,
});

const late = ({ idleMs }: Settings): Failure => ({
  class: "timeout",
  message: `the model's server said nothing for ${idleMs / 1000} s`,
});

function brokenOff(error: unknown, { url }: Settings): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const words =
    cause instanceof Error && cause.message !== "" ? cause.message : String((error as Error).message ?? error);
  return `no whole answer from the model at ${new URL(url).origin} (${words})`;
}
