import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConfigFault, offerOf } from "../../../transports/acp/config.ts";
import { OFFER } from "../../../transports/acp/offer.ts";
import { PROFILES } from "../../../transports/acp/profile.ts";

/** An environment whose configuration folder holds this `acp.json`. */
function home(text: string | null): { XDG_CONFIG_HOME: string } {
  const folder = mkdtempSync(join(tmpdir(), "troupe-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "troupe"));
  if (text !== null) writeFileSync(join(folder, "troupe", "acp.json"), text);
  return { XDG_CONFIG_HOME: folder };
}

test("without a file the defaults hold", () => {
  expect(offerOf(home(null))).toEqual(OFFER);
});

test("the file is read, switches stand above their profile, flags above all", () => {
  const environment = home(
    JSON.stringify({
      profile: "ski",
      compat: { updateOrder: "streaming", executionState: "update" },
      auth: { methods: [{ id: "k", name: "Key", variable: "KEY" }], required: true },
      fork: true,
      without: ["session/delete"],
      defaultWorkflow: "demo",
    }),
  );
  expect(offerOf(environment)).toEqual({
    switches: { ...PROFILES.ski, updateOrder: "streaming", executionState: "update" },
    auth: { methods: [{ id: "k", name: "Key", variable: "KEY" }], required: true },
    fork: true,
    without: ["session/delete"],
    permissionMode: "required",
    permissionTimeoutMs: null,
    defaultWorkflow: "demo",
    keeps: true,
    page: expect.any(Function),
  });
  expect(offerOf(environment, { ephemeral: true }).keeps).toBe(false);
  expect(offerOf(environment, { profile: "acp" }).switches.unknownSessionCode).toBe(-32002);
});

test.each<[text: string, says: string]>([
  ["{", "is no JSON"],
  ["[]", "must hold an object"],
  ['{"profle": "ski"}', '"profle" is not known'],
  ['{"profile": "old"}', '"profile" must be one of acp, ski'],
  ['{"compat": {"notifies": 1}}', '"compat.notifies" is not known'],
  ['{"without": ["session/new"]}', '"without" must be a list of session/load'],
  ['{"compat": {"legacyMethods": "on"}}', '"compat.legacyMethods" must be one of false, true'],
  ['{"fork": 1}', '"fork" must be true or false'],
  ['{"auth": []}', '"auth" must be an object'],
  ['{"auth": {"methods": {}}}', '"auth.methods" must be a list'],
  ['{"auth": {"methods": [{"id": "x"}]}}', '"auth.methods[0]" must have an id and a name'],
  ['{"auth": {"required": true}}', '"auth.required" needs at least one'],
  ['{"defaultWorkflow": ""}', '"defaultWorkflow" must be a text'],
])("%s is refused with its place", (text, says) => {
  const attempt = () => offerOf(home(text));
  expect(attempt).toThrow(ConfigFault);
  expect(attempt).toThrow(says);
});

test("a file that was named has to be there", () => {
  expect(() => offerOf({}, { config: "/nowhere/acp.json" })).toThrow("/nowhere/acp.json: cannot be read: ENOENT");
});
