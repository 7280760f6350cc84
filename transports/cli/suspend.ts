/**
 * Ctrl-Z, or any SIGTSTP: the process stops between two turns of its event loop, never inside one, so a transaction
 * that was under way has ended and holds nothing up.
 */
let listens = false;

/** From now on; idempotent. Nothing else can be asked to wait: SIGSTOP stops at once. */
export function stopBetweenTurns(): void {
  if (listens) return;
  listens = true;
  process.on("SIGTSTP", () => process.kill(process.pid, "SIGSTOP"));
}
