/** `dist/troupe.js`: starts the program, whose chunks lie beside it, with the code that is kept of them. */
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { settleHome } from "../home.ts";
import { refuseOldNode } from "../node-version.ts";
import { Chunks } from "./chunks.ts";
import { CodeCache } from "./code-cache.ts";
import { collect } from "./collect.ts";

/** The first part, `transports/cli/main.ts`; the build puts its name here. */
declare const PROGRAM: string;

/** What is asked for often has a cache of its own: a smaller one is read faster. */
const OFTEN = new Set(["acp", "run", "list", "ls", "validate", "history", "serve", "mcp", "ui"]);

/** Of the name of a file. Who gives Node more options than that compiles each time. */
const MOST_CHARS = 230;

/** The user's own: a shared folder could be written by another user. */
function codeCache(program: string): CodeCache | null {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, NODE_OPTIONS, NODE_V8_COVERAGE } = process.env;
  const { XDG_CACHE_HOME = "" } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE === "1" || NODE_V8_COVERAGE) return null;
  const folder =
    NODE_COMPILE_CACHE ||
    join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), ".cache"), "troupe", "compile");
  const { version, arch, argv, execArgv } = process;
  const command = argv[2] !== undefined && OFTEN.has(argv[2]) ? argv[2] : "other";
  const made = JSON.stringify([basename(program), version, arch, execArgv, NODE_OPTIONS ?? ""]);
  const key = `${command}-${Buffer.from(made).toString("base64url")}`;
  return key.length > MOST_CHARS ? null : new CodeCache(folder, key);
}

refuseOldNode();
settleHome();
// What a screen draws lives shortly and comes slowly: what V8 would keep ready for more is a tenth of the memory.
if (process.argv[2] === "ui")
  for (const flag of ["--max-semi-space-size=1", "--semi-space-growth-factor=1"])
    process.getBuiltinModule("node:v8").setFlagsFromString(flag);
// By itself zod compiles a function for each schema of an object when that is first used: dozens before the first
// session is answered, for messages that are small. It reads this name when it is loaded.
(globalThis as { __zod_globalConfig?: object }).__zod_globalConfig = { jitless: true };
const folder = join(dirname(fileURLToPath(import.meta.url)), "program");
const chunks = new Chunks(folder, codeCache(join(folder, PROGRAM)));
// An editor starts its agent before a person has written anything. What it has made by then is moved out of the room for
// new objects, which would else be full in the middle of the first prompt.
if (process.argv[2] === "acp") chunks.ahead(() => collect({ type: "minor" }));
chunks.hold();
chunks.load(PROGRAM);
