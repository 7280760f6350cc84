/** `--format json`: the log itself, one committed exchange a line, as it is. Live chunks are no part of it. */
import { map } from "rxjs";
import { isLive } from "../../machines/exchange.ts";
import type { Projection } from "../shared/projection.ts";
import { safeJson } from "./safe.ts";

export const jsonLines = (): Projection<string[]> =>
  map((frames) => frames.filter((frame) => !isLive(frame)).map((row) => `${safeJson(JSON.stringify(row))}\n`));
