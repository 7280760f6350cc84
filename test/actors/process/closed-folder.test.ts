/** Why nothing starts in a folder that its user may not enter, or below one. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asOrdinary, giveToOrdinary, importing, noOrdinary, openAll } from "../../support/ordinary-user.ts";

test.skipIf(noOrdinary !== null)("the folder is named, not the program", () => {
  const root = mkdtempSync(join(tmpdir(), "troupe-closed-"));
  const [closed, within] = [join(root, "closed"), join(root, "closed", "a")];
  mkdirSync(within, { recursive: true });
  giveToOrdinary(root);
  chmodSync(closed, 0o600);
  const script = `
    const { spawnProcess } = await import(${importing("actors/process/spawn.ts")});
    const { markerFor } = await import(${importing("actors/process/marker.ts")});
    const { ownIdentity } = await import(${importing("actors/process/identity.ts")});
    for (const cwd of ${JSON.stringify([closed, within])}) {
      const asked = { argv: ["/bin/true"], cwd, env: {}, marker: markerFor(ownIdentity(), "x"), maxOutputBytes: 9 };
      const { message } = await spawnProcess({ ...asked, onOutput: () => undefined }).ended;
      console.log(message);
    }`;
  const { stdout, stderr } = asOrdinary(["--input-type=module", "--eval", script], {});
  openAll(root);
  rmSync(root, { recursive: true });
  const said = (cwd: string) =>
    `cannot start "/bin/true": the working directory "${cwd}" may not be entered; look at its owner and its rights`;
  expect(stdout.trim().split("\n"), stderr).toEqual([said(closed), said(within)]);
});
