/** What `troupe doctor` finds. */
import type { Json } from "../../machines/model.ts";

/** What a check is about. */
export type CheckArea = "system" | "configuration" | "agents" | "servers" | "store" | "workflows";
/** `absent`: it is not here, and nothing needs it. `warning`: something will not work. `fault`: nothing will. */
export type CheckState = "good" | "absent" | "warning" | "fault";
/** `next`: a command or a deed that mends it; null where nothing is to be done. `facts`: the same for programs. */
export type Check = {
  area: CheckArea;
  name: string;
  state: CheckState;
  says: string;
  next: string | null;
  facts: { [name: string]: Json };
};
/** `ok`: there is no fault. `next`: the one thing to do now. */
export type Checkup = { ok: boolean; checks: Check[]; next: string };
