/**
 * What the page asks of its server.
 *
 * I1. The secret lies in this tab alone and goes into a header of our own server's calls.
 * I2. A page that is hidden holds no connection. A browser gives all tabs of a server six: hidden ones would keep them
 *     from the one that is looked at.
 */
import { createParser } from "eventsource-parser";
import { reach } from "./reach.ts";
import type { Wrong } from "./state.ts";

const KEPT = "troupe-page";
const HEADER = "troupe-page";
const AGAIN_MS = 1_000;
const SIGN_IN = "/page/session";

/** An answer that is a problem, by its stable code. */
export class CallFault extends Error {
  readonly status: number;
  readonly code: string;
  readonly wrong: Wrong | null;
  constructor(status: number, code: string, message: string, wrong: Wrong | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.wrong = wrong;
  }
}

let out: () => void = () => undefined;
/** `act` is called when the server does not know this page, and asks for a token. */
export function whenOut(act: () => void): void {
  out = act;
}

const headers = (): { [name: string]: string } => {
  const secret = sessionStorage.getItem(KEPT);
  return secret === null ? {} : { [HEADER]: secret };
};

/**
 * Signs this page in: by a ticket, a token, or nothing where none is asked for. Throws what the server says where it
 * lets no page in by this address, whatever is given.
 */
export async function signIn(given: { ticket?: string; token?: string }): Promise<boolean> {
  const body = JSON.stringify(given.ticket === undefined ? {} : { ticket: given.ticket });
  const bearer = given.token === undefined ? {} : { authorization: `Bearer ${given.token}` };
  const answer = await reach(SIGN_IN, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...bearer },
  });
  if (answer.status === 403) throw faultIn(answer, await answer.text());
  if (!answer.ok) return false;
  const { secret } = (await answer.json()) as { secret: string };
  sessionStorage.setItem(KEPT, secret);
  return true;
}

/** Throws a `CallFault`. */
export async function call<T>(
  path: string,
  { method = "GET", body }: { method?: string; body?: object } = {},
): Promise<T> {
  const asked = (): Promise<Response> =>
    reach(path, {
      method,
      headers: { ...headers(), ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  let answer = await asked();
  // The server has begun anew, or has let many other pages in since.
  if ((answer.status === 403 || answer.status === 401) && (await signIn({}))) answer = await asked();
  const text = await answer.text();
  if (answer.ok) return (text === "" ? null : JSON.parse(text)) as T;
  const fault = faultIn(answer, text);
  if (fault.status === 401) out();
  throw fault;
}

/** The server's words on a missing token are for programs. */
const ASKS_AGAIN = "the server asks for a token again";

function faultIn({ status, statusText }: Response, text: string): CallFault {
  const {
    code = "",
    detail = statusText,
    details: { field, expected } = {},
  } = JSON.parse(text === "" ? "{}" : text) as { code?: string; detail?: string; details?: Partial<Wrong> };
  const wrong = field === undefined || expected === undefined ? null : { field, expected };
  return new CallFault(status, code, status === 401 ? ASKS_AGAIN : detail, wrong);
}

/** Answers may overtake each other: of several to one question, one that was asked before the last that counts is late. */
export class Overtaken {
  #asked = 0;
  #counts = 0;
  /** To be called when the question is sent; the answer says, once, whether what came counts. */
  begin(): () => boolean {
    const asked = ++this.#asked;
    return () => {
      if (asked < this.#counts) return false;
      this.#counts = asked;
      return true;
    };
  }
}

type Hearing = {
  /** The id of the last event that is known; left out where events have none. */
  after?: number;
  told: (events: Told[]) => void;
  signal: AbortSignal;
  /** Is called when the stream is there again: the server may be another by now. */
  back?: () => void;
  /** Is called where the server has said that it will send nothing. */
  refused?: (fault: CallFault) => void;
};
export type Told = { id: string | undefined; event: string | undefined; data: string };

const isHidden = (): boolean => document.visibilityState === "hidden";

/** Resolves when the page is looked at, or `signal` is aborted. */
async function isSeen(signal: AbortSignal): Promise<void> {
  if (!isHidden() || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = new AbortController();
    const look = (): void => {
      if (isHidden() && !signal.aborted) return;
      done.abort();
      resolve();
    };
    document.addEventListener("visibilitychange", look, { signal: done.signal });
    signal.addEventListener("abort", look, { signal: done.signal });
  });
}
/** Is aborted when the page is hidden, or `signal` is. */
function whileSeen(signal: AbortSignal): AbortController {
  const here = new AbortController();
  const leave = (): void => {
    if (isHidden() || signal.aborted) here.abort();
  };
  document.addEventListener("visibilitychange", leave, { signal: here.signal });
  signal.addEventListener("abort", leave, { signal: here.signal });
  return here;
}

/**
 * Hears the events of a stream until `signal`, while the page is looked at (I2); comes back by itself behind the last
 * id. Resolves when the stream is over. `told` is called with all that one piece of the network brought.
 */
export async function hear(path: string, { after, told, signal, back, refused }: Hearing): Promise<void> {
  let last = after;
  let isBack = false;
  for (await isSeen(signal); !signal.aborted; await isSeen(signal)) {
    const here = whileSeen(signal);
    try {
      const asked = last === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}after=${last}`;
      const answer = await reach(asked, { headers: headers(), signal: here.signal });
      if (answer.status === 204) return;
      if (answer.status === 401) out();
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
        return refused?.(faultIn(answer, await answer.text()));
      if (answer.ok && answer.body !== null) {
        if (isBack) back?.();
        isBack = true;
        let found: Told[] = [];
        const parser = createParser({
          onEvent: ({ id, event, data }) => {
            if (id !== undefined) last = Number(id);
            found.push({ id, event, data });
          },
        });
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
          parser.feed(piece.value);
          if (found.length > 0) told(found);
          found = [];
        }
      }
    } catch {
      if (here.signal.aborted) continue;
    } finally {
      here.abort();
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
