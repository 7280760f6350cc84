/** The workflows that can be run, found and read as the user has configured it. It needs no store. */

import { FILE_LIMITS } from "../../machines/workflow/limits.ts";
import { OPTION_TABLES } from "../agents/option-tables.ts";
import type { Clock } from "../base/clock.ts";
import { limitsOf } from "../base/limits.ts";
import { type Environment, userFolders } from "../base/user-folders.ts";
import { GuardedCatalogue } from "../catalogue/guarded.ts";
import type { Config } from "../config/config.ts";
import { byPlugin } from "../operations/registry.ts";
import { type Extensions, operationsWith, providersWith } from "./extensions.ts";

type Given = {
  environment: Environment;
  clock: Clock;
  /** What is configured, and nothing while the configuration has a fault. */
  configured: () => Partial<Config>;
  /** Whether the user has trusted a directory. */
  trusts: (cwd: string) => boolean;
  extensions: Extensions;
};

export function workflowsIn({ environment, clock, configured, trusts, extensions }: Given): GuardedCatalogue {
  const limits = () => limitsOf(configured().limits);
  return new GuardedCatalogue({
    environment,
    homedir: userFolders(environment).home,
    now: () => clock.now(),
    clock,
    trusts,
    installed: {
      operations: byPlugin(operationsWith(extensions)),
      providers: providersWith(extensions),
      agentOptions: OPTION_TABLES,
    },
    agents: () => {
      const { acpAgents } = configured();
      return acpAgents === undefined ? null : Object.keys(acpAgents);
    },
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
