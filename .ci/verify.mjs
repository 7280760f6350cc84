// `npm run verify`: every gate in order, stopping at the first that fails.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const bin = join(root, "node_modules", ".bin");
const env = { ...process.env, PATH: bin + delimiter + process.env.PATH };

const gates = [
  ["format", "npm", "run", "--silent", "format:check"],
  ["lint", "npm", "run", "--silent", "lint"],
  ["types", "npm", "run", "--silent", "types"],
  ["dead code", "npm", "run", "--silent", "dead"],
  ["arrows", "npm", "run", "--silent", "arrows"],
  ["references", "npm", "run", "--silent", "references"],
  ...(existsSync(join(root, ".ci", "docs.mjs"))
    ? [["generated docs", "node", join(root, ".ci", "docs.mjs"), "--check"]]
    : []),
  ["changes", "npm", "run", "--silent", "changes"],
  ["site", "node", join(root, ".ci", "site.mjs"), "--check"],
  ["package", "npm", "run", "--silent", "package"],
  ["tests", "npm", "run", "--silent", "test"],
  ["conformance", "node", join(root, ".ci", "conformance.mjs"), "--check"],
];

for (const [title, command, ...args] of gates) {
  process.stdout.write(`\n== ${title}\n`);
  const began = performance.now();
  const done = spawnSync(command, args, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (done.status !== 0) {
    process.stderr.write(`\nverify: ${title} failed (${seconds} s)\n`);
    process.exit(1);
  }
  process.stdout.write(`== ${title}: good (${seconds} s)\n`);
}
