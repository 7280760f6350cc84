/**
 * Starts a child with or without a marker, or has a guard or none, and waits to be killed. `crowded`: no file can be
 * opened when the guard is to be started, and a second child is started when there is room again.
 */
import { closeSync, openSync } from "node:fs";
import { launchHere } from "../../../../actors/process/child.ts";
import { Guard } from "../../../../actors/process/guard.ts";
import { encodeIdentity, ownIdentity } from "../../../../actors/process/identity.ts";
import { markerFor } from "../../../../actors/process/marker.ts";
import { spawnProcess } from "../../../../actors/process/spawn.ts";

const how = process.argv[2];
const guard = how === "unguarded" ? null : new Guard(encodeIdentity(ownIdentity()));
const marker = how === "unmarked" ? {} : markerFor(ownIdentity(), "test/guarded");
const env = { PATH: process.env["PATH"] ?? "" };
const start = () =>
  spawnProcess({ argv: ["sleep", "600"], cwd: "/", env, marker, launch: launchHere, leaveBackground: true });
const child = start();
const files: number[] = [];
const fill = (): void => {
  try {
    for (;;) files.push(openSync("/dev/null", "r"));
  } catch {
    // no more can be opened
  }
};
if (how === "crowded") fill();
if (how === "in order") process.stdin.once("data", () => guard?.dismiss());
// The guard is started at the end of this turn of the loop.
setImmediate(() =>
  setImmediate(() => {
    for (const file of files.splice(0)) closeSync(file);
    if (how === "crowded") start();
    setImmediate(() => setImmediate(() => process.stdout.write(`${child.pid}\n`)));
  }),
);
