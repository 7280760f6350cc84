/**
 * `npm run soak`: what takes too long for every change. Exit code 1 when something is wrong.
 *
 *   npm run soak                     a million frames
 *   npm run soak -- --frames N --seed N
 *   npm run soak -- --sessions N     so many sessions over sockets, instead
 *   npm run soak -- --minutes N      sessions for so long, instead
 *   npm run soak -- --cancels N      so many cancels of each kind of step, instead
 *   npm run soak -- --owners N       so many times two containers on one home, instead; needs root
 */
import { parseArgs } from "node:util";
import { soakCancels } from "./cancels.ts";
import { soakFrames } from "./frames.ts";
import { soakOwners } from "./owners.ts";
import { soakSessions } from "./sessions.ts";

const { values } = parseArgs({
  options: {
    frames: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now()) },
    sessions: { type: "string" },
    minutes: { type: "string" },
    cancels: { type: "string" },
    owners: { type: "string" },
  },
});
const { frames, seed, sessions, minutes, cancels, owners } = values;
async function soak(): Promise<boolean> {
  if (sessions !== undefined) return await soakSessions({ is: "sessions", sessions: Number(sessions) });
  if (minutes !== undefined) return await soakSessions({ is: "minutes", minutes: Number(minutes) });
  if (cancels !== undefined) return await soakCancels(Number(cancels));
  if (owners !== undefined) return await soakOwners(Number(owners));
  return await soakFrames({ frames: Number(frames), seed: Number(seed) });
}
process.exit((await soak()) ? 0 : 1);
