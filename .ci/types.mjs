// Builds the types of the libraries: dist/types/index.d.ts and dist/types/client.d.ts, with one chunk for what they
// share. What they need of other packages' types is inside, as its code is in the bundles: who installs Troupe needs
// no other package to compile against it, but for Node's own types.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const into = join(root, "dist", "types");
// Below the project, where the packages that they name are found.
const draft = mkdtempSync(join(root, "node_modules", ".types-"));

/** Some packages offer their types in CommonJS first; the same ones stand beside them as modules. */
const asModules = {
  name: "types-as-modules",
  resolveId: {
    order: "pre",
    async handler(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const twin = found?.id.replace(/\.d\.cts$/, ".d.ts");
      return twin !== undefined && twin !== found.id && existsSync(twin) ? { ...found, id: twin } : found;
    },
  },
};

try {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  // The gate `types` checks; this emits.
  const argv = [compiler, "--noCheck", "-p", join(root, ".ci", "tsconfig.types.json"), "--outDir", draft];
  const compiled = spawnSync(process.execPath, argv, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (compiled.status !== 0) throw new Error("the types do not compile");
  const bundle = await rolldown({
    cwd: root,
    input: {
      index: join(draft, "actors", "troupe.d.ts"),
      client: join(draft, "transports", "client", "connect.d.ts"),
    },
    platform: "node",
    external: [/^node:/],
    plugins: [asModules, dts({ dtsInput: true, tsconfig: false })],
    // How long a plugin took says something of the machine, not of the sources.
    checks: { pluginTimings: false },
    onLog(level, log, keep) {
      if (level === "warn") throw new Error(log.message);
      keep(level, log);
    },
  });
  rmSync(into, { recursive: true, force: true });
  await bundle.write({ dir: into, format: "es" });
  await bundle.close();
  // Without this a program whose compiler is given no `types` has no Buffer and no streams, and reads them as `any`.
  for (const file of ["index.d.ts", "client.d.ts"].map((name) => join(into, name)))
    writeFileSync(file, `/// <reference types="node" />\n${readFileSync(file, "utf8")}`);
} finally {
  rmSync(draft, { recursive: true, force: true });
}
