/** Which Node this program runs on: it is looked at before anything else is loaded. */
const OLDEST = [22, 18] as const;

/** Ends the process with one line where Node is older than what the program is written for. */
export function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  process.stderr.write(`troupe: needs Node ${OLDEST.join(".")} or newer, this is ${process.versions.node}\n`);
  process.exit(1);
}
