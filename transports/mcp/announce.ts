/** Says when the list of tools has changed: files came, went or say something else now. */
import { toolsOf } from "./host-server.ts";
import { offer } from "./offer.ts";
import type { McpServed } from "./served.ts";

/** Calls `changed` until the answer is called. A change of a file that no tool shows is none. */
export function announce(served: McpServed, changed: () => void): () => void {
  const listed = async (): Promise<string> => JSON.stringify(toolsOf(await offer(served), served.settings));
  let last = listed();
  last.catch(() => undefined); // the next one is compared with it, and only where both are there
  return served.troupe.watch(served.cwd, () => {
    const before = last;
    last = before.then(listed, listed);
    void Promise.all([before, last]).then(
      ([old, now]) => (old === now ? undefined : changed()),
      () => undefined, // what cannot be listed now is listed when a host asks
    );
  });
}
