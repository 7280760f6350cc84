/**
 * The table of running processes, read from this system.
 */
import { readLinuxTable } from "./linux-table.ts";
import type { ScanProcesses } from "./process-row.ts";
import { readPsTable } from "./ps.ts";

/** The real table. */
export const scanProcesses: ScanProcesses = process.platform === "linux" ? readLinuxTable : () => readPsTable();
