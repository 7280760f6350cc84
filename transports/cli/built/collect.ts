/** Collections of garbage that we ask for. Node's modules for that are loaded then: most processes ask for none. */

/** V8 has no other door for a program than the function that this flag puts into new contexts. */
export function collect(how: { type: "major" | "minor"; flavor?: "last-resort" }): void {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  const { runInNewContext } = process.getBuiltinModule("node:vm");
  setFlagsFromString("--expose-gc");
  const gc: (how: object) => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  gc(how);
}
