/** Bodies of requests, read up to a limit. */
import type { IncomingMessage } from "node:http";

/** A body of more than the limit. */
export class TooLarge extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`a body may have ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** A body that did not come to its end: the client has gone, or has its answer. */
export class CutOff extends Error {
  constructor() {
    super("the request was cut off");
  }
}

/** No more than `maxBytes` is held, and the rest is not read: the answer still goes out. Throws `TooLarge`, `CutOff`. */
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
    request.once("end", () => resolve(Buffer.concat(parts).toString("utf8")));
    request.once("error", () => reject(new CutOff()));
    request.once("close", () => reject(new CutOff()));
  });
}
