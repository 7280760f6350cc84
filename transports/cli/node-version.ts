/**
 * Which Node this program runs on: it is looked at before anything else is loaded.
 *
 * I1. `package.json` says the same to npm, which only warns.
 */

/** The first of each line that has what we use; of the lines between and before none has. Later ones have it. */
const FIRST = [
  [22, 20],
  [24, 7],
] as const;

export const isNewEnough = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return FIRST.some(([line, first]) => major === line && minor >= first) || major > 24;
};

/** Ends the process with one line where Node is older than what the program is written for. */
export function refuseOldNode(): void {
  const { node } = process.versions;
  if (isNewEnough(node)) return;
  process.stderr.write(`troupe: needs Node 24.7 or newer, or 22.20 or newer of Node 22; this is ${node}\n`);
  process.exit(1);
}
