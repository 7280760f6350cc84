/**
 * What others would write on our streams.
 *
 * I1. Node warns of what it calls experimental: its SQLite (Node 22), and an import in code that is loaded as our chunks
 *     are (`built/chunks.ts`). A user who runs a workflow can do nothing about it.
 * I2. What a library writes to the console becomes a line of our log, on standard error alone, and without the values
 *     in it: they may be a stranger's.
 */
const ABOUT = ["SQLite is an experimental feature", "vm.USE_MAIN_CONTEXT_DEFAULT_LOADER is an experimental feature"];

/** From here on these warnings are not shown; every other is. */
export function hushNode(emitter: Pick<NodeJS.Process, "emitWarning"> = process): void {
  const emit = emitter.emitWarning.bind(emitter) as (warning: string | Error, ...rest: unknown[]) => void;
  emitter.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (!ABOUT.some((text) => String(warning).includes(text))) emit(warning, ...rest);
  };
}

const LEVELS = ["debug", "info", "log", "warn", "error"] as const;
const MAX_WORDS = 200;

/** From here on, until the answer is called, the console is the log (I2). */
export function consoleTo(
  log: (line: string) => void,
  target: Pick<Console, (typeof LEVELS)[number]> = console,
): () => void {
  const before = LEVELS.map((level) => [level, target[level]] as const);
  for (const level of LEVELS) target[level] = (first: unknown) => log(`a library says: ${wordsOf(first)}`);
  return () => {
    for (const [level, own] of before) target[level] = own;
  };
}

function wordsOf(first: unknown): string {
  if (typeof first === "string") return first.slice(0, MAX_WORDS);
  if (!(first instanceof Error)) return `something of type ${typeof first}`;
  const { code } = first as NodeJS.ErrnoException;
  return code === undefined ? first.name : `${first.name} ${code}`;
}
