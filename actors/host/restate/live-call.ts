/**
 * A call of another process for what its work says.
 *
 * I1. Only lines of the known form are taken; a longer one than MAX_LINE ends the call.
 */
import type { Key } from "../../../machines/model.ts";
import type { LiveFrame, TakeLive } from "./live-out.ts";
import type { LiveOffer } from "./protocol.ts";

const MAX_LINE = 1024 * 1024;

/** Settles when nothing more comes; rejects where nothing came. */
export async function followLive(
  { url, token }: LiveOffer,
  session: Key,
  { take, signal, call }: { take: TakeLive; signal: AbortSignal; call: typeof fetch },
): Promise<void> {
  const at = `${url.replace(/\/+$/, "")}/live/${encodeURIComponent(session)}`;
  const response = await call(at, { headers: { authorization: `Bearer ${token}` }, redirect: "error", signal });
  if (!response.ok || response.body === null) throw new Error(`what it says is not to be had: ${response.status}`);
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) throw new Error("a line is too long");
    for (const line of lines) {
      const frame = frameOf(line);
      if (frame !== null) take(frame);
    }
  }
}

/** I1. */
function frameOf(line: string): LiveFrame | null {
  try {
    const frame = JSON.parse(line) as Partial<LiveFrame>;
    const { block, offset, text } = frame.live?.payload ?? {};
    const isText = typeof block === "string" && Number.isInteger(offset) && typeof text === "string";
    return isText && typeof frame.work === "string" && Number.isInteger(frame.n) ? (frame as LiveFrame) : null;
  } catch {
    return null;
  }
}
