/** A run's frames, and what a screen of a few lines shows of them. */
import type { Frame, Row } from "../../../machines/exchange.ts";
import { liveLines } from "../../../projections/screen/live-lines.ts";
import { Screen } from "../../../projections/screen/screen.ts";
import { Log } from "../terminal/rows.ts";

export const fail = (code = "EXECUTION.COMMAND.FAILED", message = "it ended") =>
  ({ status: "failed", exitCode: 4, error: { code, message } }) as const;
export const place = { width: 60, height: 20, now: 1_010_000, colours: false };
export const shown = (frames: readonly Frame[], changes: Partial<typeof place> = {}): string[] => {
  const screen = new Screen("r1");
  for (const frame of frames) screen.see(frame);
  return liveLines(screen, { ...place, ...changes });
};
export const rowsOf = (rows: readonly Row[]): Frame[] => {
  const log = new Log();
  return rows.map((row) => log.row(row));
};
