/**
 * Who looks at many runs hears that something of one has changed: it has begun, ended, asks, or is at another step.
 *
 * I1. It hears that there is news, never whose: what is new it asks for, as itself.
 * I2. Without a listener, a row costs one look at an empty set.
 */
import type { Row } from "../../machines/exchange.ts";
import type { Host } from "../host/host.ts";

const NEWS: ReadonlySet<Row["type"]> = new Set([
  ...(["run.started", "run.completed", "step.started", "step.completed", "turn.completed"] as const),
  ...(["permission.requested", "permission.resolved", "input.required", "input.answered"] as const),
]);

export class RunNews {
  readonly #hearing = new Set<() => void>();

  /** Calls `hear` at each news, until the answer is called. */
  hear(hear: () => void): () => void {
    this.#hearing.add(hear);
    return () => void this.#hearing.delete(hear);
  }
  note({ type }: Pick<Row, "type">): void {
    if (this.#hearing.size > 0 && NEWS.has(type)) this.look();
  }
  /** Another process has written. */
  look(): void {
    for (const hear of this.#hearing) hear();
  }
}

/** Listens to this process and to the others, until the answer is called. Throws where the others cannot be heard. */
export function watchRuns(
  { host, news }: { host: Pick<Host, "listen">; news: RunNews },
  changed: () => void,
): () => void {
  const unlisten = host.listen(); // where it throws, nothing is left
  const unhear = news.hear(changed);
  return () => {
    unhear();
    unlisten();
  };
}
