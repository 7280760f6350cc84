/**
 * One host on standard input and output.
 *
 * I1. Nothing but the protocol is written to standard output.
 * I2. A line that is no message is answered with an error.
 * I3. When the host hangs up, what runs is cancelled, as for an editor; what is parked stays parked.
 */
import type { Readable, Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { announce } from "./announce.ts";
import { framedInput } from "./framed-input.ts";
import { hostServer } from "./host-server.ts";
import { ListeningWire } from "./listening-wire.ts";
import { offer, untrusted } from "./offer.ts";
import type { McpServed } from "./served.ts";

export type StdioHost = {
  input: Readable;
  output: Writable;
  version: string;
  /** For the user, line by line. */
  log: (line: string) => void;
};

/** Resolves when the host has gone. */
export async function serveHost(served: McpServed, { input, output, version, log }: StdioHost): Promise<void> {
  const { isTrusted } = await offer(served);
  if (!isTrusted) log(untrusted(served.cwd));
  const gone = Promise.withResolvers<void>();
  const servers = new Set<McpServer>();
  const framed = framedInput(input, (refusal) => output.write(`${JSON.stringify(refusal)}\n`));
  const handle = serveStdio(
    async ({ era }) => {
      const server = await hostServer({ served, era, version });
      servers.add(server);
      return server;
    },
    {
      transport: new ListeningWire(new StdioServerTransport(framed, output), served),
      onerror: ({ message }) => log(message),
    },
  );
  const silence = announce(served, () => {
    for (const server of servers) if (server.isConnected()) server.sendToolListChanged();
  });
  for (const event of ["end", "close", "error"] as const) input.once(event, () => gone.resolve());
  output.once("error", () => gone.resolve());
  await gone.promise;
  silence();
  await handle.close();
  input.unpipe().pause();
}
