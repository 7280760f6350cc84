import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { roleNames, roleText } from "../../../actors/effects/roles.ts";
import { put, workspace } from "./support.ts";

it("first found wins: the workspace's folders in order, then the user's (I1)", () => {
  const [cwd, home, config] = [workspace(), workspace(), workspace()];
  const site = { environment: { HOME: home, XDG_CONFIG_HOME: config }, cwd, file: null };
  const text = () => roleText("r", "states.a.role", site, {});
  const places: [string, string][] = [
    [home, ".agents/roles"],
    [config, "awf/roles"],
    [config, "troupe/roles"],
    [cwd, ".agents/roles"],
    [cwd, ".awf/roles"],
    [cwd, ".troupe/roles"],
  ];
  const found = places.map(([root, folder]) => {
    put(root, { [`${folder}/r/AGENTS.md`]: folder });
    return text();
  });
  expect(found).toEqual(places.map(([, folder]) => folder));
});

it("a roles path is the only place (I1)", () => {
  const cwd = workspace({ ".awf/roles/r/AGENTS.md": "local", "one/x": "", "two/r/AGENTS.md": "chosen" });
  const environment = { AWF_ROLES_PATH: `${join(cwd, "one")}:${join(cwd, "two")}` };
  expect(roleText("r", "role", { environment, cwd, file: null }, {})).toBe("chosen");
  expect(() =>
    roleText("r", "role", { environment: { AWF_ROLES_PATH: join(cwd, "one") }, cwd, file: null }, {}),
  ).toThrow(`role: "r" does not exist; looked for ${join(cwd, "one", "r", "AGENTS.md")}`);
});

it("a link out of the folders is refused", () => {
  const outside = workspace({ "r/AGENTS.md": "secret" });
  const cwd = workspace({ ".awf/roles/x/AGENTS.md": "" });
  symlinkSync(join(outside, "r"), join(cwd, ".awf/roles/r"));
  expect(() => roleText("r", "role", { environment: {}, cwd, file: null }, {})).toThrow("leads outside");
});

it("are listed by name, from every folder where one could be found", () => {
  const cwd = workspace({
    ".troupe/roles/reviewer/AGENTS.md": "a",
    ".agents/roles/writer/AGENTS.md": "b",
    ".awf/roles/reviewer/AGENTS.md": "c",
    ".awf/roles/empty/README.md": "no role",
    ".awf/roles/..bad name/AGENTS.md": "no name",
  });
  expect(roleNames({ environment: { HOME: "/nowhere" }, cwd, file: null })).toEqual(["reviewer", "writer"]);
});
