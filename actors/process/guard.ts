/**
 * A small shell beside us that ends what we started when we are killed and can do nothing ourselves.
 *
 * I1. It waits on a pipe of which we hold the only other end: the system closes it, however we end.
 * I2. It ends only what carries our marker, and itself carries none.
 * I3. A word on the pipe sends it home: who ends in order has ended its own processes.
 * I4. It costs nothing before it is needed, and never delays our own end.
 * I5. One that cannot be started now is tried again with the next process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Marker } from "./marker.ts";
import { MARKER_VARIABLE } from "./marker-names.ts";

/** `$1` is the marker's value. No argument holds the whole marker, so `ps` shows it only where it is carried. */
const SCRIPT = `read -r _ && exit
for _ in 1 2 3 4 5 6 7 8 9 10; do
  if [ -r /proc/self/environ ]; then
    pids=$(grep -laFe "${MARKER_VARIABLE}=$1" /proc/[0-9]*/environ 2>/dev/null | tr -cd '0-9\\n')
  else
    pids=$(ps axeww -o pid= -o command= | while read -r pid rest; do
      case $rest in *"${MARKER_VARIABLE}=$1"*) echo "$pid" ;; esac
    done)
  fi
  [ -z "$pids" ] && exit
  kill -KILL $pids 2>/dev/null
  sleep 0.05
done`;

/** By owner. */
const guards = new Map<string, Guard>();

/** A process is about to be started that carries this marker: its owner's guard watches from now on, where there is one (I4). */
export const guardAgainst = (marker: Marker): void => guards.get(marker[MARKER_VARIABLE] ?? "")?.watch();

export class Guard {
  readonly #owner: string;
  #child: ChildProcess | null | undefined;

  /** `owner`: the value of the marker that our children carry. */
  constructor(owner: string) {
    this.#owner = owner;
    guards.set(owner, this);
  }

  /** From now on the guard watches. The start itself waits until what is under way has been started. */
  watch(): void {
    if (this.#child !== undefined) return;
    this.#child = null;
    setImmediate(() => {
      if (this.#child === null) this.#child = this.#start();
    });
  }

  /** We end in order (I3). */
  dismiss(): void {
    if (guards.get(this.#owner) === this) guards.delete(this.#owner);
    this.#child?.stdin?.end("done\n");
    this.#child = undefined;
  }

  #start(): ChildProcess {
    const child = spawn("/bin/sh", ["-c", SCRIPT, "troupe-guard", this.#owner], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    // Without a guard the next troupe's sweep ends what is left.
    child.on("error", () => {
      if (this.#child === child) this.#child = undefined;
    });
    // It has no pipe where we may open no more files.
    const stdin = child.stdin as (typeof child.stdin & { unref?: () => void }) | undefined;
    stdin?.on("error", () => undefined);
    child.unref();
    stdin?.unref?.();
    return child;
  }
}
