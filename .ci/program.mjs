// The program's chunks. A chunk is one script: an object of parts, each a function that runs when it is first used. A
// part is a module of ours, or a library. Which parts share a chunk says the bundler: those that the same commands may
// use. So a command reads few files, and runs no more of them than it uses.
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { onDemand } from "./on-demand.mjs";

const LIBRARY = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
/** A library of this size is a chunk of its own: one that is not used is not read either. */
const LARGE = 24 * 1024;
/** Chunks below this size are one: a file more costs more than what is read in vain. */
const SMALL = 4 * 1024;
const SHARED = "shared";
/** Stands for what is known once all is built. */
const BUILD = "@build@";

/** The part that a module belongs to; null for what the bundler adds. */
function partOf(id, root) {
  const library = LIBRARY.exec(id)?.[1];
  if (library !== undefined) return `lib/${library.replaceAll("\\", "/")}`;
  if (!id.startsWith(root)) return null;
  return id
    .slice(root.length + 1)
    .replace(/\.ts$/, "")
    .replaceAll("\\", "/");
}

/** The name of the chunk that the bundler gives each module by itself, by the module's file. */
function chunkNames(chunks) {
  const named = chunks.flatMap((chunk, at) => {
    const isTwice = chunks.findIndex(({ name }) => name === chunk.name) < at;
    const name = chunk.code.length < SMALL ? SHARED : isTwice ? `${chunk.name}-${at}` : chunk.name;
    return Object.keys(chunk.modules).map((id) => [id, name]);
  });
  return new Map(named);
}

/** Text in ASCII: V8 keeps one with a letter beyond Latin in twice the memory. */
const ascii = (code) =>
  code.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * The files of the program, and its first part as `transports/cli/built/chunks.ts` loads it. `bundled`: runs the bundler
 * with these options besides its own.
 */
export async function programOf({ bundled, input, root }) {
  const folder = "program";
  const options = {
    input,
    format: "cjs",
    folder,
    entryFileNames: `${folder}/[name]-[hash].cjs`,
    define: { TROUPE_BUILD: JSON.stringify(BUILD) },
  };
  const names = chunkNames(await bundled(options));
  const parts = await bundled({
    ...options,
    groups: [{ name: (id) => partOf(id, root), debugName: "parts", test: () => true }],
    plugins: [{ name: "on-demand", renderChunk: (code) => ({ code: onDemand(code), map: null }) }],
  });
  const chunkOf = ({ name, code, modules }) => {
    if (name.startsWith("lib/") && code.length >= LARGE) return name.replaceAll("/", "-").replaceAll("@", "");
    return names.get(Object.keys(modules).at(-1)) ?? SHARED;
  };
  const placed = new Map(parts.map((part) => [part.fileName, { part, chunk: chunkOf(part) }]));
  const idOf = ({ part, chunk }) => `${chunk}-${BUILD}.cjs#${part.name}`;
  const bodyOf = ({ fileName, name, code }) => {
    const body = code.replace(/\brequire\("(\.[^"]*)"\)/g, (_, to) => {
      const place = placed.get(posix.join(posix.dirname(fileName), to));
      if (place === undefined) throw new Error(`${fileName} needs ${to}, which is no part`);
      return `require(${JSON.stringify(`./${idOf(place)}`)})`;
    });
    return `${JSON.stringify(name)}: function (exports, require, module, __filename) {"use strict";${body}\n}`;
  };
  const bodies = new Map();
  for (const { part, chunk } of placed.values()) bodies.set(chunk, [...(bodies.get(chunk) ?? []), bodyOf(part)]);
  const hash = createHash("sha256");
  for (const [chunk, all] of bodies) hash.update(chunk).update(all.join());
  const build = hash.digest("hex").slice(0, 8);
  const files = [...bodies].map(([chunk, all]) => ({
    type: "chunk",
    fileName: `${folder}/${chunk}-${build}.cjs`,
    code: ascii(`({${all.join(",\n").replaceAll(BUILD, build)}})`),
  }));
  const first = [...placed.values()].find(({ part }) => part.isEntry);
  return { files, first: idOf(first).replace(BUILD, build) };
}
