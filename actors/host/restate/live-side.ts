/** What this process's followers get live: of work that runs elsewhere by a call, of its own without one. */
import type { Key } from "../../../machines/model.ts";
import type { EmbeddedHost } from "../embedded.ts";
import type { Tables } from "../memory/tables.ts";
import { followLive } from "./live-call.ts";
import { LiveIn, type LiveInHost } from "./live-in.ts";
import type { LiveOut, TakeLive } from "./live-out.ts";
import type { Replica } from "./replica.ts";

type Parts = Pick<LiveInHost, "clock"> & {
  self: string;
  tables: Tables;
  replica: Replica;
  /** Its followers are shown what comes. */
  reader: EmbeddedHost;
  out: LiveOut;
  call: typeof fetch;
};

export const liveSide = ({ self, tables, replica, reader, out, call, clock }: Parts): LiveIn =>
  new LiveIn({
    clock,
    at: (session) => replica.at(session),
    head: (session) => reader.head(session),
    isAwaited: (session, work) => {
      const end = work.lastIndexOf(" ");
      return tables.read(session).works.get(work.slice(0, end))?.nonce === Number(work.slice(end + 1));
    },
    rows: (session, after, limit) => reader.rows(session, after, limit),
    backwards: (session) => reader.backwards(session),
    show: (session, frame) => reader.show(session, frame),
    follow: (offer, session, take, signal) =>
      offer.by === self
        ? followHere(out, { session, take, signal })
        : followLive(offer, session, { take, signal, call }),
  });

type Following = { session: Key; take: TakeLive; signal: AbortSignal };
const followHere = (out: LiveOut, { session, take, signal }: Following): Promise<void> =>
  new Promise((resolve) => {
    const leave = out.follow(session, take);
    signal.addEventListener("abort", () => resolve(leave()), { once: true });
  });
