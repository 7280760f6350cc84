/**
 * A WebSocket to a server of agents.
 *
 * I1. Nothing of more than MAX_FRAME_BYTES is taken, compressed frames are not offered, and no redirect is followed.
 * I2. A server that answers no ping between two of them is gone.
 */
import WebSocket from "ws";
import { type Address, MOST_REFUSAL, refusedBy, unreached } from "./address.ts";

export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const HANDSHAKE_MS = 10_000;
const CLOSE_MS = 2_000;

export type Socket = {
  ws: WebSocket;
  /** Resolves when it has closed, with its code and the reason in words. */
  ended: Promise<{ code: number; why: string }>;
  /** Cuts it for a reason of ours. */
  abandon(why: string): void;
  /** Says goodbye and waits for the server's; a second call waits for the first. */
  end(): Promise<void>;
};

/** Connects. Frames that come at once are kept until there is a listener. */
export function openSocket({ url, headers, pingMs }: Address, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(url, {
      ...{ headers, handshakeTimeout: HANDSHAKE_MS, maxPayload: MAX_FRAME_BYTES },
      ...{ perMessageDeflate: false, followRedirects: false },
    });
    const giveUp = (): void => ws.terminate();
    signal.addEventListener("abort", giveUp, { once: true });
    ws.once("open", () => {
      signal.removeEventListener("abort", giveUp);
      ws.pause();
      resolve(socketOf(ws, pingMs));
    });
    ws.on("unexpected-response", (_, response) => {
      const { statusCode: status = 0, statusMessage: words = "", headers } = response;
      let body = "";
      const refuse = (): void => {
        reject(refusedBy(url, { status, words, type: headers["content-type"] ?? "", body }));
        ws.terminate();
      };
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
        if (body.length > MOST_REFUSAL) refuse();
      });
      for (const event of ["end", "error", "close"]) response.once(event, refuse);
    });
    // After the handshake an error is followed by a close, which reports it.
    ws.on("error", (error) => reject(unreached(url, error)));
  });
}

function socketOf(ws: WebSocket, pingMs: number): Socket {
  let fault = "";
  let isHeard = true;
  const hear = (): void => {
    isHeard = true;
  };
  for (const event of ["message", "ping", "pong"]) ws.on(event, hear);
  const abandon = (why: string): void => {
    fault ||= why;
    ws.terminate();
  };
  const pinging = setInterval(() => {
    // A socket that we do not read from shows no answer.
    if (ws.isPaused) return;
    if (!isHeard) return abandon("the server does not answer any more");
    isHeard = false;
    ws.ping();
  }, pingMs);
  const ended = new Promise<{ code: number; why: string }>((resolve) => {
    ws.once("close", (code, reason) => {
      clearInterval(pinging);
      resolve({ code, why: fault || words(code, reason.toString("utf8")) });
    });
  });
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    ws.resume();
    ws.close(1000);
    const late = setTimeout(() => ws.terminate(), CLOSE_MS);
    await ended;
    clearTimeout(late);
  };
  return {
    ...{ ws, ended, abandon },
    end: () => {
      ending ??= end();
      return ending;
    },
  };
}

function words(code: number, reason: string): string {
  if (code === 1000 || code === 1005) return "the server has closed the connection";
  const said = reason === "" ? "" : `: ${reason}`;
  return code === 1006 ? "the connection broke" : `the server has closed the connection (${code})${said}`;
}
