/**
 * `troupe acp`: an ACP agent on a pair of byte streams.
 *
 * I1. The end of the input or of the output ends everything that was started, and then the service.
 * I2. Nothing but messages is written to the output.
 */
import type { Readable, Writable } from "node:stream";
import type { Troupe } from "../../actors/troupe.ts";
import type { Environment } from "./config.ts";
import { FirstUse } from "./first-use.ts";
import { Framer } from "./framer.ts";
import type { Take } from "./input.ts";
import type { Offer } from "./offer.ts";
import { Served } from "./served.ts";
import { LineWriter } from "./writer.ts";

export type AcpServerOptions = {
  /** A stream, or what begins to read one: it hands portions over, which are valid until it is answered. */
  input: Readable | ((take: Take) => Readable);
  output: Writable;
  /** Makes the facade; called with the first session, and until it has made one. */
  open: () => Promise<Troupe>;
  version: string;
  /** What a prompt without a command runs, whatever is offered. */
  defaultWorkflow?: string;
  offer?: Offer;
  environment?: Environment;
  /** Where the first session is likely to work: the facade gets ready for it while the client does something else. */
  likely?: string;
  /** Called when all has ended, and nothing is left but what the client has not read. */
  onEnded?: () => void;
};

/**
 * Serves one client. Resolves when the connection has ended and nothing that it started is left. Rejects where the agent
 * could not be loaded.
 */
export async function serveAcp({
  input: source,
  output,
  open,
  version,
  defaultWorkflow,
  offer,
  environment,
  likely,
  onEnded,
}: AcpServerOptions): Promise<void> {
  const end = Promise.withResolvers<void>();
  const faults: unknown[] = [];
  const writer = new LineWriter(output, end.resolve);
  const troupe = new FirstUse(open);
  const opened = (): Promise<Troupe> => troupe.get();
  const served = new Served({
    writer,
    version,
    prepare: "early",
    failed: (error) => {
      faults.push(error);
      end.resolve();
    },
    open: opened,
    ...(likely === undefined
      ? {}
      : {
          warm: () =>
            void opened().then(
              (one) => one.warm(likely),
              () => undefined,
            ),
        }),
    ...(defaultWorkflow === undefined ? {} : { defaultWorkflow }),
    ...(offer === undefined ? {} : { offer }),
    ...(environment === undefined ? {} : { environment }),
  });
  const framer = new Framer(served.framing);
  const take: Take = (bytes) => framer.take(bytes);
  const input = typeof source === "function" ? source(take) : source.on("data", take);
  input.on("end", () => {
    framer.end();
    end.resolve();
  });
  input.on("error", () => end.resolve());
  input.on("close", () => end.resolve());

  await end.promise;
  // Where only the output was closed, an open input would keep the process alive.
  input.destroy();
  await served.close();
  await troupe.made?.then((open) => open.close()).catch(() => undefined);
  onEnded?.();
  await writer.drained();
  if (faults.length > 0) throw faults[0];
}
