// `npm run changes`: what users will read of a release is there.
// 1. The newest section of CHANGELOG.md is that of the version in package.json.
// 2. Each file of .changeset says what it changes (major, minor or patch), in words.
// 3. From the release on, sources that have changed since its tag bring such a file.
// Where the tag is not known, as in a shallow checkout, 3 is not asked.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const SOURCES = ["machines", "actors", "projections", "transports"];
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const faults = [];

const newest = /^## (\S+)/m.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8"))?.[1];
if (newest !== version) faults.push(`CHANGELOG.md begins with ${newest}, package.json has ${version}`); // 1

const changes = readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md") && file !== "README.md");
for (const file of changes) {
  const [, head = "", text = ""] =
    /^---\n(.*?)^---\n(.*)$/ms.exec(readFileSync(join(root, ".changeset", file), "utf8")) ?? [];
  const kinds = Object.entries(parse(head) ?? {});
  const isEmpty = kinds.length === 0 && text.trim() === "";
  const isGood = kinds.length === 1 && kinds[0][0] === name && ["major", "minor", "patch"].includes(kinds[0][1]);
  if (!isEmpty && (!isGood || text.trim() === ""))
    faults.push(`.changeset/${file}: "${name}": major, minor or patch is wanted, and words for users`); // 2
}

const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" });
const tag = `v${version}`;
if (git("rev-parse", "--verify", "--quiet", `${tag}^{commit}`).status === 0) {
  const changed = git("diff", "--name-only", tag, "--", ...SOURCES).stdout.trim();
  if (changed !== "" && changes.length === 0)
    faults.push(`the sources have changed since ${tag}, and .changeset says nothing of it: npm run changeset`); // 3
}

for (const fault of faults) process.stderr.write(`changes: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
