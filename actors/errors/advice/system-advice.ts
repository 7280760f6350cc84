/** Causes and remedies of what this machine, or what Troupe talks to, is at fault for. */
import type { AdviceOf } from "./kinds.ts";

export const SYSTEM: AdviceOf<`SYSTEM.${string}`> = {
  "SYSTEM.CLIENT.EOF": ["The other side closed the connection.", "Connect again; its own log says why."],
  "SYSTEM.CLIENT.NOT_CONNECTED": ["There is no connection.", "Connect again."],
  "SYSTEM.CLIENT.REQUEST_TIMEOUT": [
    "The other side did not answer in time.",
    "See whether it is alive, then try again.",
  ],
  "SYSTEM.CLIENT.OUTCOME_UNKNOWN": [
    "The connection broke while something was on its way.",
    "Look what became of it before you send it again.",
  ],
  "SYSTEM.CLIENT.INVALID_RESPONSE": [
    "The other side's answer has no form of the protocol.",
    "It is the other side's to mend: tell who makes it.",
  ],
  "SYSTEM.CLIENT.UNSUPPORTED_PROTOCOL": [
    "The other side speaks another version of the protocol.",
    "Update the older of the two.",
  ],
  "SYSTEM.IO.READ_FAILED": ["A file could not be read.", "Look at its rights and at the disk."],
  "SYSTEM.IO.WRITE_FAILED": ["A file could not be written.", "Make room on the disk; look at the folder's rights."],
  "SYSTEM.IO.PERMISSION_DENIED": ["The system refused.", "Look at the rights of what the message names."],
  "SYSTEM.IO.TOO_MANY_FILES": [
    "The process, or the system, has too many files open, or watches too many.",
    "Raise the limit that the message names (`ulimit -n`; of watched files `sysctl fs.inotify.max_user_watches` or `fs.inotify.max_user_instances`), or do less at once.",
  ],
  "SYSTEM.STORE.UNUSABLE": [
    "The store's file cannot be opened.",
    "`troupe doctor` names the file or folder whose rights or owner are wrong; or set TROUPE_HOME to a folder that can be written.",
  ],
  "SYSTEM.STORE.NEWER": [
    "A newer Troupe wrote the store, maybe while this process had it open. Nothing was changed.",
    "Start the process again where it is the older one; update Troupe, or set TROUPE_HOME to another folder; a copy that you made before the update goes with the older one.",
  ],
  "SYSTEM.STORE.BUSY": [
    "Another process keeps the store to itself, as one does that brings it up to date.",
    "Try again in a moment; where it never lets go, end that one.",
  ],
  "SYSTEM.STORE.DAMAGED": [
    "The store's file is not sound. Nothing was changed.",
    "Move it away with its -wal file, or put a copy of yours back.",
  ],
  "SYSTEM.STORE.MOVED": [
    "The store was removed, moved or replaced while this process had it open. Nothing was written since.",
    "Put it back where it was, or end the process and start it again.",
  ],
  "SYSTEM.STORE.NETWORK": [
    "The store's folder lies on another machine, which does not see its locks.",
    "Set TROUPE_HOME to a folder of this machine.",
  ],
  "SYSTEM.STORE.SHARED": [
    "Others may write to the store, and so could have put anything there.",
    "Look who did, then chmod go-w it.",
  ],
  "SYSTEM.LOG.OUT_OF_ORDER": [
    "A row of a log came out of order.",
    "Open the view again; if it stays, tell us, with the log.",
  ],
  "SYSTEM.SESSION.TAKEN_OVER": [
    "Another process continued the session, since this one seemed to have ended.",
    "Look at the run there; a machine that slept does this.",
  ],
  "SYSTEM.ENGINE.NOT_INSTALLED": [
    "What an engine needs is not on this machine: Troupe does not bring it.",
    "`troupe engine install` fetches it from npm.",
  ],
  "SYSTEM.ENGINE.UNREACHABLE": [
    "The engine does not answer.",
    "See whether it runs, and whether its address is right: `troupe engine up`.",
  ],
  "SYSTEM.ENGINE.NO_WORKER": [
    "No worker can take this: none has told the engine of itself, none answers, none has the tag, or one has no such folder or secret.",
    "Start one that can: `troupe worker --engine URL`, with the `--tag` or the variable that the message names. What waits goes on then.",
  ],
  "SYSTEM.ENGINE.EVENT_FAILED": [
    "Workers tried five times to take an event of the session, and broke each time.",
    "The session takes the next event. Tell us, with the log of a worker.",
  ],
  "SYSTEM.ENGINE.NEWER": [
    "A newer Troupe has written the session: this worker leaves it as it is.",
    "Start a worker of that version; what was asked waits for it.",
  ],
  "SYSTEM.PROCESS.LOST": [
    "A process that Troupe had started is gone, and its end is unknown.",
    "Look at what it did, then continue with `troupe resume`.",
  ],
  "SYSTEM.INTERNAL.UNMAPPED": ["A fault that was not foreseen.", "Tell us, with the message and how it came about."],
};
