/**
 * A command's streams without the secrets that it knows. H44.
 *
 * I1. Standard output is one text: what may become a secret is held back until it is known, or until `flush`.
 * I2. Nothing is held back while a person is asked.
 */
import type { ClientMask } from "../client/connect.ts";
import type { Io } from "./io.ts";

export function maskedIo(io: Io, mask: Pick<ClientMask, "stream" | "text">): { io: Io; flush: () => void } {
  let stream = mask.stream();
  const out = (text: string): void => {
    if (text !== "") io.out(text);
  };
  const flush = (): void => {
    out(stream.end());
    stream = mask.stream();
  };
  const masked: Pick<Io, "out" | "err" | "readLine"> = {
    out: (text) => out(stream.push(text)),
    err: (text) => {
      flush();
      io.err(mask.text(text));
    },
    readLine: (signal, options) => {
      flush();
      const { above } = options ?? {};
      return io.readLine(signal, options && above !== undefined ? { ...options, above: mask.text(above) } : options);
    },
  };
  return { io: { ...io, ...masked }, flush };
}
