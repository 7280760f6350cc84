// Builds dist/: the program (`troupe.js`), the library (`index.js`), the client library (`client.js`), the small process
// that starts children (`spawner.js`), the one between an agent and our tools (`tools.js`) and the one that reads folders
// which nobody has trusted (`reader.js`), as code-split ES modules.
// Libraries are bundled in, so that a cold start reads few files; a dynamic import stays a chunk of its own, so that
// it costs nothing until it is used. Names are kept: stack traces stay readable.
// Files are put in place by rename, chunks (named by content) before entries, and old chunks are kept for an hour:
// a program that started from the last build goes on working while a new one arrives.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const OLD_AFTER_MS = process.argv.includes("--clean") ? -1 : 3_600_000;
const SHEBANG = "#!/usr/bin/env node\n";

const sources = {
  troupe: "transports/cli/main.ts",
  index: "actors/troupe.ts",
  client: "transports/client/connect.ts",
  spawner: "actors/process/spawner/program.ts",
  tools: "actors/tools/bridge/program.ts",
  reader: "actors/catalogue/reader/program.ts",
};
const input = Object.fromEntries(Object.entries(sources).filter(([, source]) => existsSync(join(root, source))));
if (Object.keys(input).length === 0) {
  process.stdout.write("build: nothing to build yet\n");
  process.exit(0);
}

/**
 * Takes Node's own modules without the linker: for each that is imported it makes a module record with all names, which
 * a cold start pays for. `process.getBuiltinModule` hands over the object itself.
 */
function withoutBuiltinImports(code) {
  const statement = /^import (?:([\w$]+)(?:, )?)?(?:(\{[^}]*\})|\* as ([\w$]+))? ?from "(node:[\w/]+)";$/gm;
  return code.replace(statement, (_, whole, names, all, from) =>
    [whole, all, names?.replaceAll(" as ", ": ")]
      .filter((pattern) => pattern !== undefined)
      .map((pattern) => `const ${pattern} = process.getBuiltinModule("${from}");`)
      .join(" "),
  );
}

const bundle = await rolldown({
  cwd: root,
  input,
  plugins: [{ name: "builtins", renderChunk: (code) => ({ code: withoutBuiltinImports(code), map: null }) }],
  platform: "node",
  // Optional native helpers of ws, used only where somebody installed them.
  external: ["bufferutil", "utf-8-validate"],
  transform: { target: "node22.18" },
  treeshake: true,
  onLog(level, log, keep) {
    if (level === "warn") throw new Error(log.message);
    keep(level, log);
  },
});
const { output } = await bundle.generate({
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  sourcemap: false,
  comments: { legal: true, annotation: false, jsdoc: false },
  minify: { compress: { target: "es2024" }, mangle: false, codegen: false },
});
await bundle.close();

/** Puts a file in place at once. A file of the same name and size by content hash is only touched. */
function place(name, text, executable) {
  const path = join(dist, name);
  if (name.startsWith("chunks/") && existsSync(path)) return utimesSync(path, new Date(), new Date());
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  if (executable) chmodSync(draft, 0o755);
  renameSync(draft, path);
}

const chunks = output.toSorted((a, b) => Number(a.isEntry ?? false) - Number(b.isEntry ?? false));
for (const chunk of chunks) {
  if (chunk.type !== "chunk") throw new Error(`the build made a file that is no module: ${chunk.fileName}`);
  const isProgram = chunk.fileName === "troupe.js";
  const text = isProgram && !chunk.code.startsWith("#!") ? SHEBANG + chunk.code : chunk.code;
  place(chunk.fileName, text, isProgram);
}

const wanted = new Set(output.map((chunk) => chunk.fileName));
for (const name of readdirSync(dist, { recursive: true })) {
  const path = join(dist, name);
  if (wanted.has(name) || name.startsWith("types") || !statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
  if (Date.now() - statSync(path).mtimeMs > OLD_AFTER_MS) rmSync(path, { force: true });
}
