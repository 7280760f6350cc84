// Runs after `npm install` and `npm ci`, on whatever Node npm itself runs on (20 too, hence plain JavaScript).
// 1. A Node older than the project needs gets a current one in node_modules/.bin, for this checkout only.
// 2. The program is built, so that a fresh clone can be run at once.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_VERSION = "24.21.0";
// As in transports/cli/node-version.ts.
const FIRST = { 22: 20, 24: 7 };

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const link = join(modules, ".bin", "node");

/** True when the given version ("24.21.0") is one the project runs on. */
function isCurrent(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > 24 || minor >= (FIRST[major] ?? Number.POSITIVE_INFINITY);
}

function fail(message) {
  process.stderr.write(`prepare: ${message}\n`);
  process.exit(1);
}

/** Version of the linked Node, or undefined when there is none that starts. */
function linkedVersion() {
  if (!existsSync(link)) return undefined;
  const asked = spawnSync(link, ["-p", "process.versions.node"], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim() : undefined;
}

/** Installs the platform's Node package beside the others and links its binary. Neither package.json nor the lock changes. */
function installNode() {
  const home = join(modules, ".dev-node");
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${process.arch}`;
  mkdirSync(home, { recursive: true });
  // npm looks upward for a package.json; one here keeps it from the project's own.
  writeFileSync(join(home, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ["npm", []];
  const done = spawnSync(command, [...first, ...args, "--prefix", home, `${name}@${NODE_VERSION}`], {
    cwd: home,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const binary = join(home, "node_modules", name, "bin", "node");
  if (done.status !== 0 || !existsSync(binary)) {
    fail(
      `Node ${process.versions.node} is too old (24.7 or newer is needed, or 22.20 or newer of Node 22) and ${name}@${NODE_VERSION} could not be installed. Install a current Node and run npm again.`,
    );
  }
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(join("..", ".dev-node", "node_modules", name, "bin", "node"), link);
  process.stdout.write(`prepare: Node ${linkedVersion()} linked as node_modules/.bin/node\n`);
}

// npm puts node_modules/.bin on the path of a script, so that this very process may already be the linked Node.
const linked = linkedVersion();
if (!isCurrent(process.versions.node) && !(linked && isCurrent(linked))) installNode();

if (existsSync(join(root, "transports", "cli", "main.ts"))) {
  const node = existsSync(link) ? link : process.execPath;
  const built = spawnSync(node, [join(root, ".ci", "build.mjs")], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (built.status !== 0) fail("the build failed");
}
