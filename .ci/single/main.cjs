// The single file's main program, by Node's SEA: it puts the program into the user's cache once, and runs it there.
// I1. What it starts is itself again, with the file to run in front, as Node would have it: the words before a file of
//     our own are options of V8.
// I2. The cache's folder is named by its content and is put in place whole, by a rename.
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { homedir } = require("node:os");
const { dirname, join, sep } = require("node:path");
const { getAsset } = require("node:sea");
const { setFlagsFromString } = require("node:v8");
const { gunzipSync } = require("node:zlib");

const QUIET = "--no-warnings";

/** Puts the files in place where they are not there yet (I2). */
function unpacked() {
  const base = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "troupe");
  const folder = join(base, getAsset("name", "utf8"));
  if (existsSync(folder)) return folder;
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(join(base, "draft-"));
  const files = JSON.parse(gunzipSync(Buffer.from(getAsset("files"))).toString());
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(draft, path)), { recursive: true });
    writeFileSync(join(draft, path), Buffer.from(text, "base64"));
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // another process was quicker
  }
  return folder;
}

const folder = unpacked();
const given = process.argv.slice(2);
const at = given.findIndex((word) => !word.startsWith("-"));
const isOurs = at >= 0 && given[at].startsWith(folder + sep); // I1
const options = isOurs ? given.slice(0, at) : [];
for (const option of options) if (option !== QUIET) setFlagsFromString(option);
if (options.includes(QUIET)) process.removeAllListeners("warning");
const file = isOurs ? given[at] : join(folder, "dist", "troupe.js");
process.argv = [process.execPath, file, ...(isOurs ? given.slice(at + 1) : given)];
createRequire(file)(file);
