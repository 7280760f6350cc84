/** How a session's log is followed: live, woken by the store when others may write, told of its end. */
import type { Cursor, Frame } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { TroupeError } from "../errors/troupe-error.ts";
import type { Follower, Host } from "../host/host.ts";
import type { Endings } from "./endings.ts";

/**
 * `alone`: only this process writes meanwhile, so the store is not watched for others. `sent`: called after the push,
 * once for all followers of a tick that name the same one. `over`: called once when nothing more will come, unless
 * `alone`: the session was deleted, or its log cannot be written.
 */
export type Following = { alone?: boolean; sent?: () => void; over?: (why: TroupeError) => void };

/** Follows until the answer is closed. */
export function follow(
  parts: { host: Pick<Host, "follow" | "listen">; endings: Endings },
  session: Key,
  after: Cursor,
  push: (frames: readonly Frame[]) => void,
  { alone = false, sent, over }: Following = {},
): Follower {
  const follower = parts.host.follow(session, after, push, sent);
  if (alone) return follower;
  const unwatch = parts.host.listen();
  const forget = over && parts.endings.of(session, over);
  return {
    pause: () => follower.pause(),
    resume: () => follower.resume(),
    close: () => {
      unwatch();
      forget?.();
      follower.close();
    },
  };
}
