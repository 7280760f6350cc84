// Completes package-lock.json after dependencies changed: `npm run lock`.
// A registry mirror may lack a tool's packages for other platforms. npm then leaves them out of the lock, and
// `npm ci` refuses such a lock everywhere. This adds the missing optional entries (version, platform, no hash),
// so that `npm ci` passes and every platform still installs its own.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const file = join(dirname(fileURLToPath(import.meta.url)), "..", "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));
const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"];

/** What a platform package's name says of itself: `x-linux-arm64-musl` → linux, arm64, musl. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  if (!os || !cpu) return undefined;
  const libc = words.includes("musl") ? "musl" : words.includes("gnu") ? "glibc" : undefined;
  return { cpu: [cpu], libc: libc && os === "linux" ? { libc: [libc] } : {}, os: [os] };
}

/** True when a package at `path` finds `name` in the lock, looking upward as Node does. */
function isLocked(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    if (lock.packages[`${at ? `${at}/` : ""}node_modules/${name}`]) return true;
    if (!at) return false;
    if (!at.includes("/node_modules/")) return Boolean(lock.packages[`node_modules/${name}`]);
  }
}

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue;
    const platform = platformOf(name);
    if (!platform || !/^\d/.test(version)) {
      process.stderr.write(`lock: ${path} wants ${name}@${version}, which is not in the lock and names no platform\n`);
      process.exitCode = 1;
      continue;
    }
    // The order of the keys is npm's own, so that a later `npm install` changes nothing.
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: platform.cpu,
      ...(entry.dev ? { dev: true } : {}),
      ...platform.libc,
      optional: true,
      os: platform.os,
    };
    process.stdout.write(`lock: added ${name}@${version}\n`);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
lock.packages = Object.fromEntries(sorted);
for (const entry of Object.values(lock.packages)) delete entry.resolved;
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
