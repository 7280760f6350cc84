/** Node 22 warns that its SQLite is experimental: nobody who runs a workflow can do anything about it. */
const ABOUT = "SQLite is an experimental feature";

/** From here on that one warning is not shown; every other is. */
export function hushSqlite(emitter: Pick<NodeJS.Process, "emitWarning"> = process): void {
  const emit = emitter.emitWarning.bind(emitter) as (warning: string | Error, ...rest: unknown[]) => void;
  emitter.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (!String(warning).includes(ABOUT)) emit(warning, ...rest);
  };
}
