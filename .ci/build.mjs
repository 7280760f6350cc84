// Builds dist/: the program (`troupe.js`, which loads `program/`), the library (`index.js`), the client library
// (`client.js`), the small process that starts children (`spawner.js`), the one between an agent and our tools
// (`tools.js`), the one that reads folders which are not trusted (`reader.js`) and the thread that keeps the
// store's write-ahead log short (`checkpoints.js`). All are split into chunks.
// Libraries are bundled in, so that a cold start reads few files; a dynamic import stays a chunk of its own, so that
// it costs nothing until it is used. Names are kept: stack traces stay readable.
// The manual page, `troupe.1`, is what the built program says of itself.
// The page is one program for browsers, `page/page.js`, with its document and its style sheet beside it; it is built anew
// where one of its sources, or this file, has changed.
// Files are put in place by rename, chunks (named by content) before entries, and old chunks are kept for an hour:
// a program that started from the last build keeps working while a new one arrives.
import { spawnSync } from "node:child_process";
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
import { PAGE, pageBuild } from "./page.mjs";
import { programOf } from "./program.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const OLD_AFTER_MS = process.argv.includes("--clean") ? -1 : 3_600_000;
const SHEBANG = "#!/usr/bin/env node\n";

/** The program is CommonJS, for `transports/cli/built/chunks.ts` (`program.mjs` makes it); what others import or start is ES modules. */
const program = { main: "transports/cli/main.ts" };
const modules = {
  troupe: "transports/cli/built/entry.ts",
  index: "actors/troupe.ts",
  client: "transports/client/connect.ts",
  spawner: "actors/process/spawner/program.ts",
  tools: "actors/mcp/bridge/program.ts",
  reader: "actors/catalogue/reader/program.ts",
  checkpoints: "actors/host/sqlite/checkpoint-program.ts",
};

/**
 * Takes Node's own modules without the linker: for each that is imported it makes a module record with all names, which
 * a cold start pays for. `process.getBuiltinModule` hands over the object itself.
 */
function withoutBuiltinImports(code) {
  const statement = /^import (?:([\w$]+)(?:, )?)?(?:(\{[^}]*\})|\* as ([\w$]+))? ?from "(node:[\w/]+)";$/gm;
  return code.replace(statement, (_, whole, names, all, from) =>
    [whole, all, names?.replaceAll(" as ", ": ")]
      .filter((pattern) => pattern !== undefined)
      // A module may name its import `process`: what is asked is the global one.
      .map((pattern) => `const ${pattern} = globalThis.process.getBuiltinModule("${from}");`)
      .join(" "),
  );
}

/** The chunks of these entries. */
async function bundled({ input, format, folder, entryFileNames, plugins = [], define = {}, groups }) {
  const bundle = await rolldown({
    cwd: root,
    input,
    plugins,
    platform: "node",
    // Optional native helpers of ws, used only where somebody installed them.
    external: ["bufferutil", "utf-8-validate"],
    // For Node rxjs gives CommonJS: a fifth of it is used.
    resolve: { alias: { rxjs: join(root, "node_modules/rxjs/dist/esm/index.js") } },
    transform: { target: "node22.20", define },
    treeshake: true,
    // How long a plugin took says something of the machine, not of the sources.
    checks: { pluginTimings: false },
    ...(groups === undefined ? {} : { preserveEntrySignatures: "allow-extension" }),
    onLog(level, log, keep) {
      if (level === "warn") throw new Error(log.message);
      keep(level, log);
    },
  });
  const { output } = await bundle.generate({
    format,
    entryFileNames,
    chunkFileNames: `${folder}/[name]-[hash].${format === "cjs" ? "cjs" : "js"}`,
    sourcemap: false,
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: { target: "es2024" }, mangle: false, codegen: false },
    ...(groups === undefined ? {} : { codeSplitting: { includeDependenciesRecursively: false, groups } }),
  });
  await bundle.close();
  return output;
}

const { files: programChunks, first } = await programOf({ bundled, input: program, root });
const moduleChunks = await bundled({
  input: modules,
  format: "esm",
  folder: "chunks",
  entryFileNames: "[name].js",
  plugins: [{ name: "builtins", renderChunk: (code) => ({ code: withoutBuiltinImports(code), map: null }) }],
  define: { PROGRAM: JSON.stringify(first) },
});
const output = [...programChunks, ...moduleChunks];

/** The page's files keep their names whatever is in them. */
const isNamedByContent = (name) => name.includes("/") && !name.startsWith(`${PAGE}/`);

/** Puts a file in place at once. A chunk that is there, named by its content, is only touched. */
function place(name, text, executable) {
  const path = join(dist, name);
  if (isNamedByContent(name) && existsSync(path)) return utimesSync(path, new Date(), new Date());
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  if (executable) chmodSync(draft, 0o755);
  renameSync(draft, path);
}

const isEntry = (chunk) => Number(!chunk.fileName.includes("/"));
const chunks = output.toSorted((a, b) => isEntry(a) - isEntry(b));
for (const chunk of chunks) {
  if (chunk.type !== "chunk") throw new Error(`the build made a file that is no module: ${chunk.fileName}`);
  const isProgram = chunk.fileName === "troupe.js";
  const text = isProgram && !chunk.code.startsWith("#!") ? SHEBANG + chunk.code : chunk.code;
  place(chunk.fileName, text, isProgram);
}

const MANUAL = "troupe.1";
const asked = spawnSync(process.execPath, [join(dist, "troupe.js"), "man"], { encoding: "utf8" });
if (asked.status !== 0) throw new Error(`the built program wrote no manual page: ${asked.stderr}`);
place(MANUAL, asked.stdout, false);

for (const [name, text] of await pageBuild(root, join(dist, PAGE))) place(name, text, false);

const wanted = new Set([MANUAL, ...output.map((chunk) => chunk.fileName)]);
for (const name of readdirSync(dist, { recursive: true })) {
  const path = join(dist, name);
  if (wanted.has(name) || /^(types|page)/.test(name) || !statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
  if (Date.now() - statSync(path).mtimeMs > OLD_AFTER_MS) rmSync(path, { force: true });
}
