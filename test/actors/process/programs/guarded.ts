/** Starts a marked child in a session of its own, with or without a guard, and waits to be killed. */
import { spawn } from "node:child_process";
import { Guard } from "../../../../actors/process/guard.ts";
import { encodeIdentity, ownIdentity } from "../../../../actors/process/identity.ts";
import { markerFor } from "../../../../actors/process/marker.ts";

const marker = markerFor(ownIdentity(), "test/guarded");
const child = spawn("sleep", ["600"], {
  env: { PATH: process.env["PATH"], ...marker },
  detached: true,
  stdio: "ignore",
});
const guard = new Guard(encodeIdentity(ownIdentity()));
if (process.argv[2] !== "unguarded") guard.watch();
if (process.argv[2] === "in order") process.stdin.once("data", () => guard.dismiss());
// The guard is started at the end of this turn of the loop.
setImmediate(() => setImmediate(() => process.stdout.write(`${child.pid}\n`)));
