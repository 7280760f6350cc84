/** Bodies of requests, read up to a limit; what is in them, before it is parsed. */
import type { IncomingMessage } from "node:http";
import { NO_PROTO, namesProto } from "../../actors/acp-client/proto.ts";
import { MAX_DEPTH, MAX_ENTRIES, shapeFault } from "../../actors/acp-client/shape.ts";

/** A body of more than the limit. */
export class TooLarge extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`a body may have ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** A body that is no text: what is none of it would be lost in silence. */
export class NoText extends Error {
  constructor() {
    super("the body is no UTF-8");
  }
}

/** A body that did not come to its end: the client has gone, or has its answer. */
export class CutOff extends Error {
  constructor() {
    super("the request was cut off");
  }
}

/** No more than `maxBytes` is held, and the rest is not read: the answer still goes out. Throws `TooLarge`, `NoText`, `CutOff`. */
export function bodyText(request: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const take = (part: Buffer): void => {
      bytes += part.length;
      parts.push(part);
      if (bytes <= maxBytes) return;
      request.off("data", take).pause();
      parts.length = 0;
      reject(new TooLarge(maxBytes));
    };
    request.on("data", take);
    request.once("end", () => {
      try {
        resolve(textOf(parts));
      } catch (error) {
        reject(error);
      }
    });
    request.once("error", () => reject(new CutOff()));
    request.once("close", () => reject(new CutOff()));
  });
}

/** The same of a request as the web has it. Throws `TooLarge`, `NoText`, `CutOff`. */
export async function webBodyText({ headers, body }: Request, maxBytes: number): Promise<string> {
  if (Number(headers.get("content-length")) > maxBytes) throw new TooLarge(maxBytes);
  const reader = body?.getReader();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const next = () =>
    reader?.read().catch(() => {
      throw new CutOff();
    });
  try {
    for (let read = await next(); read?.value !== undefined; read = await next()) {
      bytes += read.value.byteLength;
      if (bytes > maxBytes) throw new TooLarge(maxBytes);
      parts.push(read.value);
    }
  } finally {
    reader?.releaseLock(); // the rest is not read, and nothing is cut off: the answer still goes out
  }
  return textOf(parts);
}

function textOf(parts: readonly Uint8Array[]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new NoText();
  }
}

/** Why a body is not even parsed, or null: the same limits as for a message of a client on stdio. */
export function bodyFault(text: string): string | null {
  // A schema passes over it, and what was given would be lost in silence. Within a text its quotes are escaped.
  if (namesProto(text)) return NO_PROTO;
  const fault = shapeFault(text);
  switch (fault) {
    case null:
      return null;
    case "too_deep":
      return `the body is nested deeper than ${MAX_DEPTH}`;
    case "too_many_entries":
      return `the body has more than ${MAX_ENTRIES} keys and items`;
    default:
      return fault satisfies never;
  }
}
