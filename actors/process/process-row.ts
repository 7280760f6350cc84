/**
 * What is known of one running process. Zombies have no row.
 */
export type ProcessRow = {
  pid: number;
  ppid: number;
  pgid: number;
  /** As in `Identity`. */
  startedAt: string;
  /** The values of its marker variables, null where it has none or may not be read. */
  owner: string | null;
  scope: string | null;
  /** It is inside exec and shows no environment; what it carries is seen a moment later. */
  blank: boolean;
};

/**
 * Reads the rows of the given pids, of all processes for null, or of those that carry a marker. A system may answer
 * with more rows than asked for.
 */
export type ScanProcesses = (which: readonly number[] | "marked" | null) => ProcessRow[];
