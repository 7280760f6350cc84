/** All that the facade speaks in. */
export type * from "./agents.ts";
export type * from "./checkup.ts";
export type * from "./facade.ts";
export type * from "./packs.ts";
export type * from "./records.ts";
export type * from "./reporter.ts";
export type * from "./schedules.ts";
export type * from "./upkeep.ts";
export type * from "./worktrees.ts";
