/**
 * A WebSocket to a server of agents.
 *
 * I1. Nothing of more than MAX_FRAME_BYTES is taken, compressed frames are not offered, and no redirect is followed.
 * I2. A token is sent in a header, and only encrypted or to this machine.
 * I3. A server that answers no ping between two of them is gone.
 */
import WebSocket from "ws";
import { ClientError } from "../../actors/acp-client/errors.ts";

export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const HANDSHAKE_MS = 10_000;
const PING_MS = 30_000;
const CLOSE_MS = 2_000;
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

export type SocketOptions = {
  url: string;
  token?: string;
  headers?: { readonly [name: string]: string };
  pingMs?: number;
};
export type Address = { url: URL; headers: { [name: string]: string }; pingMs: number };

/** Where and how to connect. Throws `unsupported` for what is no address of a WebSocket. */
export function addressOf({ url, token, headers = {}, pingMs = PING_MS }: SocketOptions): Address {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !["ws:", "wss:"].includes(address.protocol))
    throw new ClientError("unsupported", `"${url}" is no WebSocket address; expected ws:// or wss://`, { url });
  if (token !== undefined && address.protocol === "ws:" && !LOOPBACK.has(address.hostname))
    throw new ClientError("unsupported", `a token is not sent unencrypted to ${address.host}; use wss://`, { url });
  const all = { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  return { url: address, headers: all, pingMs };
}

export type Socket = {
  ws: WebSocket;
  /** Resolves when it has closed, with its code and the reason in words. */
  ended: Promise<{ code: number; why: string }>;
  /** Cuts it for a reason of ours. */
  abandon(why: string): void;
  /** Says goodbye and waits for the server's; a second call waits for the first. */
  end(): Promise<void>;
};

/** Connects. Frames that come at once are kept until somebody listens. */
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
      const { statusCode = 0, statusMessage = "" } = response;
      response.resume();
      reject(refused(url, statusCode, statusMessage));
      ws.terminate();
    });
    // After the handshake an error is followed by a close, which tells it.
    ws.on("error", (error) =>
      reject(
        new ClientError(
          isUntrusted(error) ? "refused" : "eof",
          `${url.host} cannot be reached: ${error.message}`,
          {},
          error,
        ),
      ),
    );
  });
}

/** What the server will say again is final; that it is busy, or not up yet, is not. */
function refused(url: URL, status: number, words: string): ClientError {
  const message = `${url.host} refuses the connection: ${status} ${words}`.trimEnd();
  return new ClientError(status >= 400 && status < 500 ? "refused" : "eof", message, { status });
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

/** A certificate that is not believed now will not be the next time either. */
const isUntrusted = ({ code = "" }: NodeJS.ErrnoException): boolean =>
  /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
