/**
 * What the configuration says of the search for workflows: its limits, and the names that a file may use.
 *
 * I1. Each is read where it is asked for, also while the configuration has a fault: that is reported when a run needs it.
 */
import { FILE_LIMITS, type FileLimits } from "../../machines/workflow/limits.ts";
import { type Limits, limitsOf } from "../base/limits.ts";
import { namesOf } from "./agents/named.ts";
import type { Config } from "./config.ts";
import { serverNames } from "./lacking-servers.ts";

type ConfiguredSearch = {
  agents: () => readonly string[] | null;
  servers: () => string[];
  limits: () => FileLimits;
  folder: () => { bytes: number; entries: number; marks: number };
  cacheChars: () => number;
  reader: () => { ms: number; heapMiB: number };
};

/** Every cap as it is configured. */
export const configuredLimits =
  (configured: () => Partial<Config>): (() => Limits) =>
  () =>
    limitsOf(configured().limits);

export function configuredSearch(configured: () => Partial<Config>): ConfiguredSearch {
  const limits = configuredLimits(configured);
  return {
    agents: () => {
      const config = configured();
      return config.acpAgents === undefined ? null : namesOf(config);
    },
    servers: () => serverNames(configured()),
    limits: () => {
      const { workflowBytes, workflowNodes, workflowStates, workflowInputs, findings, descriptionChars } = limits();
      return {
        ...FILE_LIMITS,
        bytes: workflowBytes,
        nodes: workflowNodes,
        states: workflowStates,
        inputs: workflowInputs,
        findings,
        description: descriptionChars,
      };
    },
    folder: () => ({ bytes: limits().folderBytes, entries: limits().folderFiles, marks: Number.POSITIVE_INFINITY }),
    cacheChars: () => limits().cacheBytes,
    reader: () => ({ ms: limits().readerMs, heapMiB: limits().readerMib }),
  };
}
