/** What of a text is seen as one character. */
import { graphemes } from "../../projections/terminal/width.ts";

/** Code points around a place that are looked at: no character that is seen has more. */
const NEAR = 64;
const pointsOf = (seen: string | undefined): number => [...(seen ?? "")].length;

/** Of how many code points the last one is of what are seen as characters, and the first one. */
export const lastSeen = (points: readonly string[]): number => pointsOf(graphemes(points.slice(-NEAR).join("")).at(-1));
export const firstSeen = (points: readonly string[]): number => pointsOf(graphemes(points.slice(0, NEAR).join(""))[0]);
