/** The texts of steps as they were written, without anything around them; live chunks and rows together show each once. */
import { isLive, isText } from "../../machines/exchange.ts";
import { folding, type Projection } from "../shared/projection.ts";
import { SafeText } from "./safe.ts";
import { blockKey, Shown } from "./shown.ts";

type Reading = { known: Shown; safe: Map<string, SafeText> };

/** `isSafe`: without what would steer a terminal. */
export const rawTexts = (isSafe: boolean): Projection<string[]> =>
  folding(
    (): Reading => ({ known: new Shown(), safe: new Map() }),
    ({ known, safe }, frames) =>
      frames.flatMap((frame) => {
        if (!isText(frame) || frame.type === "message.thought" || frame.payload.call !== undefined) return [];
        const text = known.fresh(frame, isLive(frame));
        if (!isSafe) return [text];
        const key = blockKey(frame);
        const filter = safe.get(key) ?? new SafeText();
        safe.set(key, filter);
        return [filter.push(text)];
      }),
  );
