/**
 * The place of one who reads a stream of events.
 *
 * I1. There are no more readers than places; one that finds none is refused.
 * I2. One whose client has gone while the stream was prepared does not begin: its answer has closed already, and would not
 *     say so again.
 */
import { TroupeError } from "../../../actors/troupe.ts";
import { hasClosed, whenClosed } from "../../serve/closed.ts";
import type { Quota } from "../../serve/quota.ts";
import type { Exchanged, Reply } from "../endpoint.ts";

/** The answer that `begin` writes, bit by bit. Throws USER.SERVE.TOO_MANY. */
export function readerReply(readers: Quota, principal: string, begin: (exchanged: Exchanged) => void): Reply {
  const giveBack = readers.take(principal);
  if (giveBack === null)
    throw new TroupeError("USER.SERVE.TOO_MANY", `${readers.count} readers are here already: see --limit readers`);
  return {
    stream: (exchanged) => {
      whenClosed(exchanged.response, giveBack);
      if (!hasClosed(exchanged.response)) begin(exchanged);
    },
  };
}
