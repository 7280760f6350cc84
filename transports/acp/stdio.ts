/**
 * `troupe acp`: an ACP agent on a pair of byte streams.
 *
 * I1. `initialize` is answered before anything is loaded that it does not need: the SDK comes after it, the facade
 *     with the first session.
 * I2. The end of the input or of the output ends everything that was started, and then the service.
 * I3. Nothing but messages is written to the output.
 */
import type { Readable, Writable } from "node:stream";
import type { Troupe } from "../../actors/troupe.ts";
import { Framer } from "./framer.ts";
import { Handover } from "./handover.ts";
import type { Take } from "./input.ts";
import { LineWriter } from "./writer.ts";

export type AcpOptions = {
  /** A stream, or what begins to read one: it hands portions over, which are valid until it is answered. */
  input: Readable | ((take: Take) => Readable);
  output: Writable;
  /** Makes the facade; called at most once, with the first session. */
  open: () => Promise<Troupe>;
  version: string;
  /** What a prompt without a command runs. */
  defaultWorkflow?: string;
};

/** Serves one client. Resolves when the connection has ended and nothing that it started is left. */
export async function serveAcp({ input: source, output, open, version, defaultWorkflow }: AcpOptions): Promise<void> {
  const end = Promise.withResolvers<void>();
  const began = Promise.withResolvers<true>();
  const writer = new LineWriter(output, end.resolve);
  const handover = new Handover(writer, version);
  const framer = new Framer({
    message: (message) => {
      handover.take(message);
      began.resolve(true);
    },
    refuse: (refusal) => writer.send(refusal),
  });
  let troupe: Promise<Troupe> | null = null;
  const service = {
    handover,
    writer,
    version,
    open: () => {
      troupe ??= open();
      return troupe;
    },
    ...(defaultWorkflow === undefined ? {} : { defaultWorkflow }),
  };
  const take: Take = (bytes) => framer.take(bytes);
  const input = typeof source === "function" ? source(take) : source.on("data", take);
  input.on("end", () => {
    framer.end();
    handover.end();
    end.resolve();
  });
  input.on("error", () => end.resolve());
  input.on("close", () => end.resolve());

  if ((await Promise.race([began.promise, end.promise])) !== true) return writer.drained();
  // The answer to `initialize` is on its way before the SDK, which takes a while to load, is asked for.
  await new Promise((resolve) => setImmediate(resolve));
  const { connectAgent } = await import("./agent.ts");
  const connection = connectAgent(service);
  await end.promise;
  // Where only the output was closed, an open input would keep the process alive.
  input.destroy();
  await connection.close();
  await (troupe as Promise<Troupe> | null)?.then((open) => open.close()).catch(() => undefined);
  await writer.drained();
}
