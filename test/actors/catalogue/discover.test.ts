import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Budget } from "../../../actors/base/budget.ts";
import { FOLDER } from "../../../actors/catalogue/catalogue.ts";
import { type Discovery, discover } from "../../../actors/catalogue/discover.ts";
import { searchPaths } from "../../../actors/catalogue/search-paths.ts";
import { type House, house, workflow } from "./support.ts";

/** Ids with where they were found, in order; paths from the root. */
function seen({ root, cwd, options }: House): { found: string[]; warnings: string[] } {
  const discovery: Discovery = discover(searchPaths(cwd, options), new Budget(FOLDER));
  const short = (text: string): string => text.replaceAll(`${root}/`, "");
  const found = [...discovery.found.values()].map(
    ({ id, origin, awf, file, fault }) =>
      `${id} ${origin}${awf ? " awf" : ""} ${short(file)}${fault === null ? "" : ` ${fault.code}`}`,
  );
  return { found, warnings: discovery.warnings.map(short) };
}

const manifest = (name: string, workflows: string): string =>
  `name: ${name}\nversion: "1.0.0"\nworkflows: ${workflows}\n`;

describe("discover", () => {
  test("I3: what has the name of a workflow's file and is none is said, and nothing else", () => {
    const one = house();
    one.write("work/.troupe/workflows/good.yaml", workflow("x"));
    const folder = join(one.cwd, ".troupe/workflows");
    mkdirSync(join(folder, "folder.yaml"));
    mkdirSync(join(folder, "plain"));
    symlinkSync("nowhere", join(folder, "dangling.yml"));
    // Beside a file that an editor has open there may be a lock that leads nowhere.
    for (const name of ["dangling.md", ".#good.yaml"]) symlinkSync("nowhere", join(folder, name));
    symlinkSync("plain", join(folder, "linked.yaml"));
    execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
    const at = "work/.troupe/workflows";
    const { found, warnings } = seen(one);
    expect(found).toEqual([`good troupe ${at}/good.yaml`]);
    expect(warnings.sort()).toEqual([
      `"${at}/dangling.yml" is skipped: the link leads nowhere`,
      `"${at}/folder.yaml" is skipped: it is a folder`,
      `"${at}/linked.yaml" is skipped: it is a folder`,
      `"${at}/pipe.yaml" is skipped: it is no ordinary file`,
    ]);
  });

  test("a file, or a link in a circle, in the place of a folder holds nothing, and keeps nothing else from being found", async () => {
    const one = house((root) => ({ TROUPE_WORKFLOWS_PATH: join(root, "a".repeat(300)) }));
    one.write("work/.troupe", "");
    one.link("work/.awf", "work/.awf");
    one.write("home/.config/troupe/workflows/good.yaml", `${workflow("x")}  b: {use_template: t}\n`);
    expect(seen(one)).toEqual({ found: ["good user home/.config/troupe/workflows/good.yaml"], warnings: [] });
    expect(await one.catalogue.validate(one.cwd, "good")).toMatchObject({ id: "good" });
  });

  test("I1: all places in their order, the first one wins", () => {
    const one = house((root) => ({
      TROUPE_WORKFLOWS_PATH: join(root, "named"),
      AWF_WORKFLOWS_PATH: join(root, "named-awf"),
    }));
    for (const place of [
      "named",
      "named-awf",
      "work/.troupe/workflows",
      "work/.awf/workflows",
      "home/.config/troupe/workflows",
      "home/.config/awf/workflows",
    ]) {
      one.write(`${place}/same.yaml`, workflow("x"));
      one.write(`${place}/${place.replaceAll(/[/.]/g, "_").replace(/^_+/, "")}.yml`, workflow("x"));
    }
    for (const place of ["work/.troupe", "work/.awf", "home/.local/share/troupe", "home/.local/share/awf"]) {
      const name = place.replaceAll(/[/.]+/g, "-");
      for (const pack of ["same", name]) {
        one.write(`${place}/workflow-packs/${pack}/manifest.yaml`, manifest(pack, `[${name}]`));
        one.write(`${place}/workflow-packs/${pack}/workflows/${name}.yaml`, workflow("x"));
      }
    }
    expect(seen(one)).toEqual({
      found: [
        "named user named/named.yml",
        "same user named/same.yaml",
        "named-awf user awf named-awf/named-awf.yml",
        "work__troupe_workflows troupe work/.troupe/workflows/work__troupe_workflows.yml",
        "work__awf_workflows awf awf work/.awf/workflows/work__awf_workflows.yml",
        "home__config_troupe_workflows user home/.config/troupe/workflows/home__config_troupe_workflows.yml",
        "home__config_awf_workflows user awf home/.config/awf/workflows/home__config_awf_workflows.yml",
        "same/work-troupe pack work/.troupe/workflow-packs/same/workflows/work-troupe.yaml",
        "work-troupe/work-troupe pack work/.troupe/workflow-packs/work-troupe/workflows/work-troupe.yaml",
        "work-awf/work-awf pack awf work/.awf/workflow-packs/work-awf/workflows/work-awf.yaml",
        "home-local-share-troupe/home-local-share-troupe pack home/.local/share/troupe/workflow-packs/home-local-share-troupe/workflows/home-local-share-troupe.yaml",
        "home-local-share-awf/home-local-share-awf pack awf home/.local/share/awf/workflow-packs/home-local-share-awf/workflows/home-local-share-awf.yaml",
      ],
      warnings: [],
    });
  });

  test("the user's folders are where the environment says, unless it is not absolute", () => {
    const one = house((root) => ({ XDG_CONFIG_HOME: join(root, "cfg"), XDG_DATA_HOME: "relative" }));
    one.write("cfg/troupe/workflows/a.yaml", workflow("x"));
    one.write("home/.config/troupe/workflows/b.yaml", workflow("x"));
    one.write("home/.local/share/troupe/workflow-packs/p/manifest.yaml", manifest("p", "[c]"));
    one.write("home/.local/share/troupe/workflow-packs/p/workflows/c.yaml", workflow("x"));
    expect(seen(one).found.map((each) => each.split(" ")[0])).toEqual(["a", "p/c"]);
  });

  test("only workflow files count, and .yaml stands before .yml, which is said", () => {
    const one = house();
    for (const name of ["a.yml", "a.yaml", "b.json", "README.md", ".yaml"])
      one.write(`work/.troupe/workflows/${name}`, workflow("x"));
    mkdirSync(join(one.cwd, ".troupe/workflows/folder.yaml"));
    expect(seen(one)).toEqual({
      found: ["a troupe work/.troupe/workflows/a.yaml"],
      warnings: [
        '"work/.troupe/workflows/folder.yaml" is skipped: it is a folder',
        `"work/.troupe/workflows/.yaml" is skipped: a name has letters, digits, '.', '_' and '-' only and begins with a letter or digit`,
        '"work/.troupe/workflows/a.yml" is skipped: a.yaml beside it has the same name',
      ],
    });
  });

  test("I3: one that ends with capital letters is skipped, and that is said", () => {
    const one = house();
    for (const name of ["a.YAML", "b.Yml", "README.MD"]) one.write(`work/.troupe/workflows/${name}`, workflow("x"));
    const rule = "is skipped: the file of a workflow ends with .yaml or .yml, in small letters";
    expect(seen(one)).toEqual({
      found: [],
      warnings: [`"work/.troupe/workflows/a.YAML" ${rule}`, `"work/.troupe/workflows/b.Yml" ${rule}`],
    });
  });

  test("I3: a folder that two places name has no file beside itself", () => {
    const one = house((root) => ({ TROUPE_WORKFLOWS_PATH: join(root, "work/.troupe/workflows") }));
    one.write("work/.troupe/workflows/a.yaml", workflow("x"));
    expect(seen(one).warnings).toEqual([]);
  });

  test("I3, T23: names that are none are skipped with a warning that shows them safely", () => {
    const one = house();
    for (const name of ["-x", "a b", "größe", "a\u001b[31m", "e\u0301"])
      one.write(`work/.troupe/workflows/${name}.yaml`, workflow("x"));
    const { found, warnings } = seen(one);
    expect(found).toEqual([]);
    expect(warnings.length).toBe(5);
    expect(warnings.join("")).not.toContain("\u001b");
  });

  test("I3, T23: a link is followed inside its folder and skipped where it leads out", () => {
    const one = house();
    one.write("secret/key.yaml", workflow("x"));
    one.write("work/.troupe/workflows/real.yaml", workflow("x"));
    one.link("work/.troupe/workflows/inside.yaml", "work/.troupe/workflows/real.yaml");
    one.link("work/.troupe/workflows/outside.yaml", "secret/key.yaml");
    one.link("work/.troupe/workflows/gone.yaml", "nowhere.yaml");
    one.link("work/.awf/workflows", "secret");
    one.link("work/.troupe/workflow-packs", "secret");
    expect(seen(one)).toEqual({
      found: ["inside troupe work/.troupe/workflows/inside.yaml", "real troupe work/.troupe/workflows/real.yaml"],
      warnings: [
        '"work/.troupe/workflows/gone.yaml" is skipped: the link leads nowhere',
        '"work/.troupe/workflows/outside.yaml" is skipped: the link leads out of work/.troupe/workflows',
        `work/.awf/workflows is skipped: the link leads out of ${one.cwd}`.replace(`${one.root}/`, ""),
        `work/.troupe/workflow-packs is skipped: the link leads out of ${one.cwd}`.replace(`${one.root}/`, ""),
      ],
    });
  });

  test("a folder that the user has set up may be a link", () => {
    const one = house();
    one.write("dotfiles/a.yaml", workflow("x"));
    one.link("home/.config/troupe/workflows", "dotfiles");
    expect(seen(one)).toEqual({ found: ["a user home/.config/troupe/workflows/a.yaml"], warnings: [] });
  });

  test("a name that a prompt means something else by is at fault, but not that of a pack's workflow", () => {
    const one = house();
    one.write("work/.troupe/workflows/tell.yaml", workflow("x"));
    one.write("work/.troupe/workflow-packs/p/manifest.yaml", manifest("p", "[tell]"));
    one.write("work/.troupe/workflow-packs/p/workflows/tell.yaml", workflow("x"));
    expect(seen(one).found).toEqual([
      "tell troupe work/.troupe/workflows/tell.yaml USER.FACADE.IDENTIFIER_MALFORMED",
      "p/tell pack work/.troupe/workflow-packs/p/workflows/tell.yaml",
    ]);
  });

  test("I2, T23: of names that differ only in case the later one is at fault", () => {
    const one = house();
    one.write("work/.troupe/workflows/build.yaml", workflow("x"));
    one.write("work/.awf/workflows/Build.yaml", workflow("x"));
    const { found, warnings } = seen(one);
    expect(found).toEqual([
      "build troupe work/.troupe/workflows/build.yaml",
      "Build awf awf work/.awf/workflows/Build.yaml USER.FACADE.IDENTIFIER_MALFORMED",
    ]);
    expect(warnings).toEqual([
      '"Build" (work/.awf/workflows/Build.yaml) differs from "build" (work/.troupe/workflows/build.yaml) only in case: rename one',
    ]);
  });

  test("T23: a pack lists what it holds; what is missing, broken or leads out is reported", () => {
    const one = house();
    const packs = "work/.troupe/workflow-packs";
    one.write(`${packs}/good/manifest.yaml`, manifest("good", "[a, gone, ../../escape]"));
    one.write(`${packs}/good/workflows/a.yaml`, workflow("x"));
    one.write(`${packs}/good/workflows/unlisted.yaml`, workflow("x"));
    one.write(`${packs}/broken/manifest.yaml`, "name: Broken Pack\n");
    mkdirSync(join(one.root, packs, "empty"));
    one.write("elsewhere/manifest.yaml", manifest("elsewhere", "[a]"));
    one.link(`${packs}/linked`, "elsewhere");
    one.write(`${packs}/leaky/manifest.yaml`, manifest("leaky", "[a]"));
    one.link(`${packs}/leaky/workflows`, "elsewhere");
    const { found, warnings } = seen(one);
    expect(found).toEqual([
      `broken/manifest pack ${packs}/broken/manifest.yaml WORKFLOW.PARSE.MISSING_FIELD`,
      `good/a pack ${packs}/good/workflows/a.yaml`,
      `good/gone pack ${packs}/good/workflows/gone.yaml USER.FACADE.WORKFLOW_NOT_FOUND`,
      `leaky/a pack ${packs}/leaky/workflows/a.yaml USER.FACADE.WORKFLOW_NOT_FOUND`,
    ]);
    expect(warnings.some((each) => each.startsWith(`"${packs}/linked" is skipped`))).toBe(true);
    expect(warnings).toContain(`pack "${packs}/empty" is skipped: there is no manifest.yaml in it`);
    expect(warnings.some((each) => each.startsWith(`${packs}/leaky/workflows is skipped`))).toBe(true);
    expect(warnings.some((each) => each.includes("../../escape"))).toBe(true);
  });

  test("a directory with nothing", () => expect(seen(house())).toEqual({ found: [], warnings: [] }));
});
