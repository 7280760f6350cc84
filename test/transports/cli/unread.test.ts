/** A folder of workflows that its user may not list: no command takes it for an empty one. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asOrdinary, giveToOrdinary, noOrdinary, openAll } from "../../support/ordinary-user.ts";

let root: string;
let closed: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-unread-"));
  closed = join(root, ".troupe", "workflows");
  mkdirSync(closed, { recursive: true });
  writeFileSync(join(closed, "a.yaml"), "name: a\nstates: {initial: a, a: {type: terminal}}\n");
  mkdirSync(join(root, ".awf", "workflows"), { recursive: true });
  giveToOrdinary(root);
});
afterEach(() => {
  openAll(root);
  rmSync(root, { recursive: true });
});

const troupe = (...args: string[]) =>
  asOrdinary([resolve("transports/cli/main.ts"), ...args], { HOME: root, TROUPE_HOME: join(root, "state") }, root);
const said = (): string => `${closed} cannot be read: you may not list what is in it; look at its owner and its rights`;

test.skipIf(noOrdinary !== null)("`validate` fails, also where it has checked others", () => {
  chmodSync(closed, 0o300);
  const alone = troupe("validate");
  expect([alone.status, alone.stdout, alone.stderr]).toEqual([
    ...[4, ""],
    expect.stringContaining(`troupe: ${said()}\n  [SYSTEM.IO.PERMISSION_DENIED]`),
  ]);
  const other = join(root, ".awf", "workflows", "b.yaml");
  writeFileSync(other, "name: b\nstates: {initial: b, b: {type: terminal}}\n");
  const beside = troupe("validate", "--format", "json");
  expect([beside.status, beside.stderr]).toEqual([4, expect.stringContaining(said())]);
  expect(JSON.parse(beside.stdout)).toMatchObject([{ id: "b", valid: true }]);
  expect(troupe("validate", "b").status).toBe(0);
});

test.skipIf(noOrdinary !== null)("`doctor` says so, and does not send to `troupe init`", () => {
  chmodSync(closed, 0o000);
  const { checks } = JSON.parse(troupe("doctor", "--format", "json").stdout) as { checks: { area: string }[] };
  const next = "troupe error SYSTEM.IO.PERMISSION_DENIED";
  expect(checks.find(({ area }) => area === "workflows")).toMatchObject({ state: "fault", says: said(), next });
});
