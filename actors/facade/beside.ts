/** What a face asks beside a Troupe: names, codes, and what other processes of this user offer. */
export { traceContextOf } from "../../machines/trace-context.ts";
export { Suggestions, suggest } from "../../machines/workflow/suggest.ts";
export { isPath } from "../catalogue/identifier.ts";
export { projectFolder } from "../catalogue/project-folder.ts";
export { facesOf } from "../errors/codes.ts";
export { TroupeError, troupeError } from "../errors/troupe-error.ts";
export { storeFault } from "./care.ts";
export { announceInspection, type InspectedProcess, inspectedProcesses } from "./inspected.ts";
export { announcePage, servedPage } from "./served.ts";
export { shownWorkflow } from "./shown-workflow.ts";
export { installedNames } from "./workflows.ts";

/** The worktrees that steps have left. */
export const worktrees = () => import("./worktrees.ts");
/** A budget as it stands on a command line. Throws USER.CLI.USAGE. */
export const givenBudget = async (text: string) => (await import("../config/given-budget.ts")).givenBudget(text);

/** Engines that a Troupe may run on, and how one is fetched and started for development. */
export const engines = () => import("./engine/engines.ts");

/** How the store is copied, and put back. */
export const copies = () => import("./upkeep/copies.ts");

/** A project of AWF: what an import would do, and the import. */
export const awf = () => import("./awf/import.ts");
