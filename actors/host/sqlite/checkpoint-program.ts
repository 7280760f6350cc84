/**
 * The thread that brings the write-ahead log into the store's file, on request.
 *
 * I1. It neither waits nor makes others wait: what a reader still needs stays in the log for the next time.
 * I2. It continues until it has brought in all that is there, so that the log begins anew with the next commit; but
 *     what is written faster than that is left.
 */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const MOST_PASSES = 8;
const db = new DatabaseSync(workerData as string, { timeout: 0 });
const checkpoint = db.prepare("pragma wal_checkpoint(passive)");

parentPort?.on("message", () => {
  try {
    let before = -1;
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const { busy, log, checkpointed } = checkpoint.get() as { busy: number; log: number; checkpointed: number };
      if (busy !== 0 || checkpointed >= log || checkpointed === before) break;
      before = checkpointed;
    }
  } catch {
    // the next time, or the commit that finds the log too long
  }
  parentPort?.postMessage("done");
});
