/** Collections of garbage that we ask for. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** V8 has no other door for a program than the function that this flag puts into new contexts. */
export function collect(how: { type: "major" | "minor"; flavor?: "last-resort" }): void {
  setFlagsFromString("--expose-gc");
  const gc: (how: object) => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  gc(how);
}
