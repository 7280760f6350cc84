/** The workflows that can be run, found and read as the user has configured it. It needs no store. */

import { FILE_LIMITS } from "../machines/workflow/limits.ts";
import { GuardedCatalogue } from "./catalogue/guarded.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config/config.ts";
import { limitsOf } from "./effects/limits.ts";
import { type Environment, placesOf } from "./paths.ts";

type Given = {
  environment: Environment;
  clock: Clock;
  /** What is configured, and nothing while the configuration has a fault. */
  configured: () => Partial<Config>;
  /** Whether the user has trusted a directory. */
  trusts: (cwd: string) => boolean;
};

export function workflowsIn({ environment, clock, configured, trusts }: Given): GuardedCatalogue {
  const limits = () => limitsOf(configured().limits);
  return new GuardedCatalogue({
    environment,
    homedir: placesOf(environment).home,
    now: () => clock.now(),
    clock,
    trusts,
    servers: () => (configured().mcpServers ?? []).map(({ name }) => name),
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
  });
}
