/** Progress for a host that asked for it: it gave its call a token. */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { RunProgress } from "../../projections/mcp/progress.ts";

/** Reports what rises only: a run that is waited for again is read from its beginning. */
export function tellProgress({ mcpReq }: ServerContext): (news: RunProgress) => void {
  const { progressToken } = mcpReq._meta ?? {};
  if (progressToken === undefined) return () => undefined;
  let last = 0;
  return (news) => {
    if (news.progress <= last) return;
    last = news.progress;
    // The signal says that a host has gone.
    void mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...news } }).catch(() => undefined);
  };
}
