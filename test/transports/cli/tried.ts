/** The command line in this process, over a facade that a test plays. */
import type { Troupe } from "../../../actors/troupe.ts";
import { main } from "../../../transports/cli/program.ts";
import { recordingIo } from "./io.ts";

/** A command line, its exit code and what it printed. */
export async function tried(argv: string[], troupe: Partial<Troupe> = {}) {
  const io = recordingIo({ troupe });
  const code = await main(argv, io);
  return { code, ...io.written };
}
