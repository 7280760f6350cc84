// `npm run arrows`: the rules of .dependency-cruiser.mjs over the folders that exist.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folders = ["machines", "actors", "projections", "transports", "test"].filter((name) =>
  existsSync(join(root, name)),
);
const args = ["--config", ".dependency-cruiser.mjs", "--output-type", "err-long", ...folders];
const done = spawnSync("depcruise", args, { cwd: root, stdio: "inherit" });
process.exit(done.status ?? 1);
