/** The names under which a session's object keeps what it keeps. */
export const VERSION = "v";
export const WAITING = "waiting";
/** Where a session came from that was moved here. */
export const ORIGIN = "origin";
/** And a number: what followers are told one by one. */
export const COMMIT = "commit ";
/** And a number that sorts: rows of the log. */
export const LOG = "log ";
/** And the name of a row. */
export const ROW = "row ";
