/**
 * Loads the chunks of the built program with the code that V8 made of them before. Node's own cache is filled before a
 * module runs, so it lacks every function that is compiled when it is first called; this one is filled after.
 *
 * I1. A chunk runs once, and before what needs it.
 * I2. What was compiled is kept when the process ends, or a while after the last chunk without kept code was loaded,
 *     since an editor may kill its agent. A process that found everything kept keeps nothing.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import type { CodeCache } from "./code-cache.ts";

const QUIET_MS = 5_000;

type Chunk = { exports: object };
/** What the build makes of a chunk: CommonJS in a function, in ASCII. */
type Body = (exports: object, require: (id: string) => unknown, module: Chunk, file: string) => void;

export class Chunks {
  readonly #cache: CodeCache | null;
  readonly #chunks = new Map<string, Chunk>();
  readonly #scripts = new Map<string, Script>();
  #due: NodeJS.Timeout | null = null;

  /** Without a cache every chunk is compiled anew. */
  constructor(cache: CodeCache | null) {
    this.#cache = cache;
    if (cache !== null) process.once("exit", () => this.#keep());
  }

  /** What the chunk of this file exports; runs it when it is asked for first. */
  load(file: string): unknown {
    const known = this.#chunks.get(file);
    if (known !== undefined) return known.exports;
    const chunk: Chunk = { exports: {} };
    this.#chunks.set(file, chunk);
    const body = this.#compile(file).runInThisContext() as Body;
    body.call(chunk.exports, chunk.exports, (id) => this.#require(file, id), chunk, file);
    return chunk.exports;
  }

  #require(from: string, id: string): unknown {
    if (id.startsWith(".")) return this.load(join(dirname(from), id));
    // Only an optional helper of a library is none of these.
    return process.getBuiltinModule(id) ?? process.getBuiltinModule("node:module").createRequire(from)(id);
  }

  #compile(file: string): Script {
    const cachedData = this.#cache?.code(basename(file));
    const script = new Script(readFileSync(file, "latin1"), {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    if (this.#cache === null) return script;
    this.#scripts.set(basename(file), script);
    if (script.cachedDataRejected === false) return script;
    if (this.#due === null) this.#due = setTimeout(() => this.#keep(), QUIET_MS).unref();
    else this.#due.refresh();
    return script;
  }

  #keep(): void {
    if (this.#due === null) return;
    clearTimeout(this.#due);
    this.#due = null;
    this.#cache?.save(new Map([...this.#scripts].map(([chunk, script]) => [chunk, script.createCachedData()])));
  }
}
