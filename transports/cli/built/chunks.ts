/**
 * Loads the parts of the built program, each when it is first used, from chunks of many, with the code that V8 made of them before. Node's own cache is filled before a
 * module runs, so it lacks every function that is compiled when it is first called; this one is filled after.
 *
 * I1. A part runs once, when it is first used; one that fails runs again when it is used again.
 * I2. What was compiled is kept when the process ends, or a while after the last chunk without kept code was loaded,
 *     since an editor may kill its agent. A process that found everything kept keeps nothing.
 * I3. After `ahead`, what stands beside the parts that ran runs while no chunk is asked for, a little at a time. What is done
 *     when all of it has run takes time that the first prompt would else take.
 * I4. After `hold`, what is used later is of this build, also where another one was installed in its place meanwhile.
 */
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { constants, Script } from "node:vm";
import type { CodeCache } from "./code-cache.ts";

const QUIET_MS = 5_000;
/** Who has asked for nothing new for so long has time. */
const IDLE_MS = 150;
const SLICE_MS = 5;
/** Who has ended by then needs no file later. */
const HOLD_MS = 1_000;
/** The chunk of small parts from everywhere: most of them this command never uses. */
const SHARED = "shared-";

type Part = { exports: object };
/** What the build makes of a part: CommonJS in a function. A chunk is an object of its parts. */
type Body = (exports: object, require: (id: string) => unknown, module: Part, file: string) => void;
type Bodies = { readonly [part: string]: Body };

export class Chunks {
  readonly #cache: CodeCache | null;
  readonly #folder: string;
  readonly #parts = new Map<string, Part>();
  readonly #bodies = new Map<string, Bodies>();
  readonly #scripts = new Map<string, Script>();
  /** The files of chunks that were not read yet, open. */
  readonly #files = new Map<string, number>();
  #due: NodeJS.Timeout | null = null;
  #idle: NodeJS.Timeout | null = null;

  /** The chunks of this folder. Without a cache every chunk is compiled anew. */
  constructor(folder: string, cache: CodeCache | null) {
    this.#folder = folder;
    this.#cache = cache;
    if (cache !== null) process.once("exit", () => this.#keep());
  }

  /** What a part exports, named by `chunk#part`; runs it when it is asked for first. */
  load(id: string): unknown {
    const known = this.#parts.get(id);
    if (known !== undefined) return known.exports;
    const [chunk = "", name = ""] = id.split("#");
    const file = join(this.#folder, chunk);
    const body = this.#bodiesOf(chunk, file)[name];
    if (body === undefined) throw new Error(`${file} has no part ${name}: install Troupe anew`);
    const part: Part = { exports: {} };
    this.#parts.set(id, part);
    try {
      body.call(part.exports, part.exports, this.#require, part, file);
    } catch (error) {
      this.#parts.delete(id);
      throw error;
    }
    return part.exports;
  }

  /** Lets parts run before they are used, once this process has time: the first session and prompt find them done. */
  ahead(then: () => void = () => undefined): void {
    this.#idle ??= setTimeout(() => this.#runSome(then), IDLE_MS).unref();
  }

  /** Opens the files of all chunks once this process has lived for a while: one that is removed can be read on (I4). */
  hold(): void {
    setTimeout(() => {
      try {
        for (const chunk of readdirSync(this.#folder))
          if (!this.#bodies.has(chunk)) this.#files.set(chunk, openSync(join(this.#folder, chunk), "r"));
      } catch {
        // Where so many files cannot be open, they are needed for other things: what is read is found by its name.
        for (const file of this.#files.values()) closeSync(file);
        this.#files.clear();
      }
    }, HOLD_MS).unref();
  }

  #runSome(then: () => void): void {
    const until = performance.now() + SLICE_MS;
    for (const [chunk, bodies] of this.#bodies)
      for (const name of chunk.startsWith(SHARED) ? [] : Object.keys(bodies)) {
        if (this.#parts.has(`${chunk}#${name}`)) continue;
        if (performance.now() > until) return void setImmediate(() => this.#runSome(then));
        try {
          this.load(`${chunk}#${name}`);
        } catch {
          return; // who uses it hears of it
        }
      }
    then();
  }

  #bodiesOf(chunk: string, file: string): Bodies {
    const known = this.#bodies.get(chunk);
    if (known !== undefined) return known;
    this.#idle?.refresh();
    const bodies = this.#compile(file).runInThisContext() as Bodies;
    this.#bodies.set(chunk, bodies);
    return bodies;
  }

  readonly #require = (id: string): unknown => {
    if (id.startsWith("./")) return this.load(id.slice(2));
    // Only an optional helper of a library is none of these.
    return (
      process.getBuiltinModule(id) ??
      process.getBuiltinModule("node:module").createRequire(join(this.#folder, "part.cjs"))(id)
    );
  };

  #compile(file: string): Script {
    const cachedData = this.#cache?.code(basename(file));
    const script = new Script(this.#read(file), {
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

  #read(file: string): string {
    const held = this.#files.get(basename(file));
    if (held !== undefined) {
      this.#files.delete(basename(file));
      const text = readFileSync(held, "latin1");
      closeSync(held);
      return text;
    }
    try {
      return readFileSync(file, "latin1");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      const message = `${file} is not there: where Troupe was installed anew meanwhile, end this process and start it again; else install it anew`;
      throw new Error(message, { cause: error });
    }
  }

  #keep(): void {
    if (this.#due === null) return;
    clearTimeout(this.#due);
    this.#due = null;
    this.#cache?.save(new Map([...this.#scripts].map(([chunk, script]) => [chunk, script.createCachedData()])));
  }
}
