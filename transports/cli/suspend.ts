/**
 * Ctrl-Z, or any SIGTSTP: the process stops between two turns of its event loop, never inside one, so a transaction
 * that was under way has ended and holds nothing up.
 */
let listens = false;
const stop = (): void => void process.kill(process.pid, "SIGSTOP");

/** From now on; idempotent. Nothing else can be asked to wait: SIGSTOP stops at once. */
export function stopBetweenTurns(): void {
  if (listens) return;
  listens = true;
  process.on("SIGTSTP", stop);
}

/**
 * Ctrl-Z as a key, where the terminal makes no signal of it: who listens to the signal is told, and the system does with
 * it what it does by default. It stops no process that nobody could let go on: a window of its own would be stuck.
 */
export function stopAsTyped(): void {
  if (process.platform === "win32") return;
  const acts = process.listeners("SIGTSTP");
  for (const act of acts) if (act !== stop) act("SIGTSTP");
  process.removeAllListeners("SIGTSTP");
  process.kill(process.pid, "SIGTSTP");
  for (const act of acts) process.on("SIGTSTP", act);
  process.emit("SIGCONT"); // it may not have stopped
}
