// The package.json that is published: what a program that installs Troupe needs to know. The bundles hold their
// libraries and no script of ours is in the tarball, so dependencies and scripts stay at home (they are for a checkout).
//   node .ci/manifest.mjs publish   before npm packs: package.json is the published one, the project's is kept beside it
//   node .ci/manifest.mjs restore   afterwards
// I1. However often a pack is cut off, the kept file is the project's own: it is not overwritten while it is there.
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HOME_ONLY = ["scripts", "dependencies", "devDependencies"];

/** What the tarball says of itself. */
export function published(manifest) {
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => !HOME_ONLY.includes(key)));
}

/** Carries out one of the two orders in a folder. */
export function changeManifest(order, folder) {
  const file = join(folder, "package.json");
  const kept = join(folder, ".package.json.kept");
  if (order === "publish") {
    if (!existsSync(kept)) {
      copyFileSync(file, `${kept}.new`);
      renameSync(`${kept}.new`, kept);
    }
    writeFileSync(file, `${JSON.stringify(published(JSON.parse(readFileSync(kept, "utf8"))), null, 2)}\n`);
  } else if (order === "restore") {
    if (existsSync(kept)) renameSync(kept, file);
  } else throw new Error("manifest: publish or restore");
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  changeManifest(process.argv[2], join(dirname(fileURLToPath(import.meta.url)), ".."));
