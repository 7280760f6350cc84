/** Covers I4 of `run-script.ts` where nothing among the temporary files may be executed. */
import { accessSync, constants, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runScript } from "../../../actors/effects/run-script.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";

/** A folder of this machine that is mounted so, and takes files; undefined where there is none. */
function closedToPrograms(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const closed = mounts
    .map((line) => line.split(" "))
    .filter(([, , type, o]) => type === "tmpfs" && /noexec/.test(o ?? ""));
  return closed
    .map(([, at = ""]) => at)
    .find((at) => {
      try {
        accessSync(at, constants.W_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const TMPDIR = closedToPrograms();
test.skipIf(TMPDIR === undefined)("the place is named, and not the script's rights", async () => {
  const script = { script: "#!/bin/sh\necho hi\n", env: {}, large: {}, withheld: [], program: true, file: "/w/s.sh" };
  const end = await runScript({
    ...{ script, cwd: "/", env: { TMPDIR: TMPDIR ?? "" }, marker: markerFor(ownIdentity(), "x") },
    ...{ signal: new AbortController().signal, maxOutputBytes: 99, onOutput: () => undefined },
  });
  const why = `a copy of it is started among the temporary files, and nothing in ${TMPDIR} may be executed (noexec)`;
  expect(end).toMatchObject({
    type: "not started",
    message: `cannot start "/w/s.sh": ${why}. Set TMPDIR to a folder where that is allowed, or call the file by its program in a command`,
  });
});
