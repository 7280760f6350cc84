/** An `Io` that remembers: what was written, who listens for a stop, and the answers that a person will give. */
import { Writable } from "node:stream";
import { NEVER } from "rxjs";
import type { RunRecord, Troupe } from "../../../actors/troupe.ts";
import type { Io } from "../../../transports/cli/io.ts";

type Why = "interrupt" | "terminate" | "closed";
export type Recorded = Io & {
  written: { out: string; err: string };
  exits: number[];
  /** Who listens for a stop now. */
  stops: Set<(why: Why) => void>;
  stop(why: Why): void;
};

export function recordingIo(
  changes: Partial<Io> & { troupe?: Partial<Troupe>; answers?: (string | null)[] } = {},
): Recorded {
  const { troupe, answers = [], ...rest } = changes;
  const written = { out: "", err: "" };
  const exits: number[] = [];
  const stops = new Set<(why: Why) => void>();
  const open = async () =>
    ({
      close: async () => undefined,
      warnings: async () => [],
      promptFile: async (_: string, value: string) => value,
      find: async (name: string) => name,
      log: async (run: string) => ({
        record: (await troupe?.status?.(run)) as RunRecord,
        head: () => 0,
        rows: () => [],
        log$: () => NEVER,
      }),
      ...troupe,
    }) as Troupe;
  return {
    written,
    exits,
    stops,
    stop: (why) => {
      for (const act of stops) act(why);
    },
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    stream: () =>
      new Writable({
        write: (chunk, _, done) => {
          written.out += chunk;
          done();
        },
      }),
    env: {},
    cwd: "/w",
    colours: false,
    errColours: false,
    columns: null,
    errColumns: null,
    canvas: null,
    actions: null,
    keys: null,
    asks: false,
    now: () => 1_000_000,
    readLine: async () => answers.shift() ?? null,
    readAll: async () => "",
    onStop: (act) => {
      stops.add(act);
      return () => stops.delete(act);
    },
    exitNow: (code) => {
      exits.push(code);
    },
    open,
    look: open,
    ...rest,
  };
}
