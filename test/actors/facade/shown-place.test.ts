/** Covers `shown-place.ts`: which directories a principal may name (I1). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe, type Troupe, troupeError } from "../../../actors/troupe.ts";

const WORKFLOW = "name: own\nstates:\n  initial: a\n  a: {type: terminal}\n";
let root: string;
let user: Troupe;
const folder = (name: string): string => join(root, name);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "places-"));
  for (const name of ["served", "trusted", "other"]) {
    mkdirSync(join(root, name, ".troupe", "workflows"), { recursive: true });
    writeFileSync(join(root, name, ".troupe", "workflows", "own.yaml"), WORKFLOW);
  }
  user = createTroupe({ ephemeral: true, environment: { HOME: root, PATH: process.env["PATH"] ?? "" } });
});
afterEach(async () => {
  await user.close();
  rmSync(root, { recursive: true });
});
const saidOf = async (asked: Promise<unknown>): Promise<unknown> =>
  await asked.then(
    () => "given",
    (error: unknown) => {
      const { code, message } = troupeError(error);
      return [code, message];
    },
  );

test("who is not the user names what is served and what is trusted; of any other they hear the same, there or not", async () => {
  await user.giveTrust(folder("trusted"));
  const ann = user.as("token:ann", `${folder("served")}/`);
  const asked = (cwd: string): Promise<unknown[]> =>
    Promise.all([
      saidOf(ann.list(cwd)),
      saidOf(ann.validate(cwd, "own")),
      saidOf(ann.session({ cwd })),
      saidOf(ann.run({ cwd, workflow: "own", inputs: {}, consent: "yes" })),
    ]);
  const given = ["given", "given", "given", "given"];
  expect(await asked(folder("served"))).toEqual(given);
  expect(await asked(folder("trusted"))).toEqual(given);
  const [first, ...others] = await asked(folder("other"));
  expect(first).toMatchObject(["USER.TRUST.NOT_YOURS", expect.not.stringContaining(root)]);
  for (const one of [...others, ...(await asked(folder("nowhere"))), ...(await asked("/etc/passwd"))])
    expect(one).toEqual(first);
});

test("the user names any, and hears of one that is not there", async () => {
  expect(await user.list(folder("other"))).toHaveLength(1);
  expect(await saidOf(user.list(folder("nowhere")))).toMatchObject(["USER.SESSION.CWD", expect.anything()]);
});
