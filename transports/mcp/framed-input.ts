/**
 * What a host writes, as the SDK takes it: one message a line. What is none is answered, where the SDK would drop it
 * without a word and leave the host waiting: a batch (the revision 2025-03-26 has them), a line that is too long, no JSON.
 */
import { type Readable, Transform } from "node:stream";
import { Framer, type Refusal } from "../acp/framer.ts";

/** The messages of `input`; it ends with it. `refuse` is given the answer to what is no message. */
export function framedInput(input: Readable, refuse: (refusal: Refusal) => void): Readable {
  const framed = new Transform({
    transform: (bytes: Buffer, _encoding, done) => {
      framer.take(bytes);
      done();
    },
    flush: (done) => {
      framer.end();
      done();
    },
  });
  const framer = new Framer({ message: (message) => framed.push(`${JSON.stringify(message)}\n`), refuse });
  return input.pipe(framed);
}
