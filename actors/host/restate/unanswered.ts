/** Why a call of the engine had no answer: the engine is silent, or its workers are. */
import { TroupeError } from "../../errors/troupe-error.ts";

/**
 * `urls`: of the engine's nodes. `runs`: the URL of one that answers by itself, or null. The error's code is
 * SYSTEM.ENGINE.NO_WORKER or SYSTEM.ENGINE.UNREACHABLE.
 */
export function unanswered(urls: readonly string[], runs: string | null, cause: unknown): TroupeError {
  if (runs !== null) {
    const words = `the engine at ${runs} runs, but no worker has answered it: start one with troupe worker --engine ${runs}, or see whether those that run have too much to do`;
    return new TroupeError("SYSTEM.ENGINE.NO_WORKER", words, { engine: runs }, cause);
  }
  const engine = urls.join(", ");
  return new TroupeError("SYSTEM.ENGINE.UNREACHABLE", `the engine at ${engine} does not answer`, { engine }, cause);
}
