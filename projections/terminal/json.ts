/** `--format json`: the log itself, one committed exchange a line, as it is. Live chunks are no part of it. */
import { map, type Observable } from "rxjs";
import { type Frame, isLive } from "../../machines/exchange.ts";
import { safeJson } from "./safe.ts";

export const jsonLines = (frames$: Observable<readonly Frame[]>): Observable<string[]> =>
  frames$.pipe(
    map((frames) => frames.filter((frame) => !isLive(frame)).map((row) => `${safeJson(JSON.stringify(row))}\n`)),
  );
