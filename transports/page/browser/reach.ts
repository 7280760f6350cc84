/**
 * Whether the server answers.
 *
 * I1. While it does not, the page says so, once; it goes on by itself when the server is back. What a proxy before it
 *     answers in its place is no answer.
 * I2. What could not be read meanwhile is read then.
 * I3. Where the server that is back has another page than this one, that is said. The page is not loaded anew unasked:
 *     somebody may be typing.
 */
import { changed, state } from "./state.ts";

const AWAY = "The server does not answer. The page goes on when it is back.";
let isThere = true;
let hasMissed = false;
let back: () => void = () => undefined;

/** `act` is called when the server is back and something could not be read before (I2). */
export function whenBack(act: () => void): void {
  back = act;
}

/** Whether the server has answered when it was asked last. */
export const isReached = (): boolean => isThere;

/** An answer of the server. Throws where there is none, or `signal` is aborted. */
export async function reach(path: string, asked: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(path, asked);
    if (isProxys(answer)) throw new Error(answer.statusText);
    found();
    return answer;
  } catch (error) {
    if (asked.signal?.aborted === true) throw error;
    // A stream, which alone can be aborted, is asked for again anyhow.
    if (asked.signal === undefined) hasMissed = true;
    lost();
    throw new Error(AWAY);
  }
}

/** What fails at the server itself is said in JSON. */
const isProxys = ({ status, headers }: Response): boolean =>
  status >= 502 && status <= 504 && !(headers.get("content-type") ?? "").includes("json");

function lost(): void {
  if (!isThere) return;
  isThere = false;
  state.note = AWAY;
  changed();
}

function found(): void {
  if (isThere) return;
  isThere = true;
  if (state.note === AWAY) state.note = null;
  if (hasMissed && state.isIn === "in") back();
  hasMissed = false;
  changed();
  void look().catch(() => undefined);
}

/** The document names its program by what is in it. */
async function look(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>("script[integrity]")?.integrity ?? "";
  const answer = await fetch("/");
  if (!answer.ok || (await answer.text()).includes(own)) return;
  state.isOutdated = true;
  changed();
}
