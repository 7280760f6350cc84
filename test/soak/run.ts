/**
 * `npm run soak`: what takes too long for every change. Exit code 1 when something is wrong.
 *
 *   npm run soak                     a million frames
 *   npm run soak -- --frames N --seed N
 *   npm run soak -- --sessions N     so many sessions over sockets, instead
 */
import { parseArgs } from "node:util";
import { soakFrames } from "./frames.ts";
import { soakSessions } from "./sessions.ts";

const { values } = parseArgs({
  options: {
    frames: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now()) },
    sessions: { type: "string" },
  },
});
const { frames, seed, sessions } = values;
const isGood =
  sessions === undefined
    ? await soakFrames({ frames: Number(frames), seed: Number(seed) })
    : await soakSessions(Number(sessions));
process.exit(isGood ? 0 : 1);
