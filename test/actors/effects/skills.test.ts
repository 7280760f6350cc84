import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Rendering } from "../../../actors/effects/rendering.ts";
import { skillText } from "../../../actors/effects/skills.ts";
import type { Json } from "../../../machines/model.ts";
import { optionsFor, put, scopeIn, workspace } from "./support.ts";

const read = (skill: Json, cwd: string, environment: NodeJS.ProcessEnv = {}, skillFiles = 100) =>
  skillText(
    skill,
    "states.a.skills[0]",
    new Rendering(scopeIn(cwd, { inputs: { s: "s" } }), optionsFor({ environment }), () => undefined),
    {
      limits: { skillFiles },
    },
  );
const bodyOf = (text: string) => text.split("\n")[1];

it("first found wins: the workspace's folders in order, then the user's (I1)", () => {
  const [cwd, home, config] = [workspace(), workspace(), workspace()];
  const places: [string, string][] = [
    [home, ".claude/skills"],
    [home, ".agents/skills"],
    [config, "awf/skills"],
    [config, "troupe/skills"],
    [cwd, ".claude/skills"],
    [cwd, ".agents/skills"],
    [cwd, ".awf/skills"],
    [cwd, ".troupe/skills"],
  ];
  const found = places.map(([root, folder]) => {
    put(root, { [`${folder}/s/SKILL.md`]: folder });
    return bodyOf(read("{{.inputs.s}}", cwd, { HOME: home, XDG_CONFIG_HOME: config }));
  });
  expect(found).toEqual(places.map(([, folder]) => folder));
});

it("a skills path is the only place (I1)", () => {
  const cwd = workspace({ ".awf/skills/s/SKILL.md": "local", "own/s/SKILL.md": "chosen" });
  expect(bodyOf(read("s", cwd, { AWF_SKILLS_PATH: join(cwd, "own") }))).toBe("chosen");
});

it("names the files beside it, in order, links and its own file left out, at most the cap (I2)", () => {
  const cwd = workspace({
    "s/SKILL.md": "Do.",
    "s/b.txt": "",
    "s/a & <b>.txt": "",
    "s/sub/SKILL.md": "",
    "s/.git/x": "",
  });
  symlinkSync("/etc/passwd", join(cwd, "s/link"));
  const files = (max: number) =>
    [...read({ path: "s" }, cwd, {}, max).matchAll(/<file>(.*)<\/file>/g)].map(([, file]) => file);
  expect(files(100)).toEqual(["a &amp; &lt;b&gt;.txt", "b.txt", "sub/SKILL.md"]);
  expect(files(2)).toEqual(["a &amp; &lt;b&gt;.txt", "b.txt"]);
});
