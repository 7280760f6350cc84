/** The server of an operation step: one of the user's that lacks a variable serves none, unless another has its name. */
import { own } from "../../machines/model.ts";
import type { OperationNode } from "../../machines/workflow/document.ts";
import type { Config } from "../config/config.ts";
import { lackText, meantServer, serverNames } from "../config/lacking-servers.ts";
import type { Operations } from "../operations/registry.ts";
import type { Faults } from "./subject.ts";

/** `servers`: those that the client brought. `config`: null where it cannot be read. */
export function checkServer(
  { name: step, operation, mcpServers = {} }: OperationNode,
  { operations, servers, config }: { operations: Operations; servers: readonly string[]; config: Config | null },
  faults: Faults,
): void {
  if (config?.lackingServers === undefined || own(operations, operation) !== undefined) return;
  const others = [...servers, ...Object.keys(mcpServers)];
  const meant = meantServer(operation, [...serverNames(config), ...others]);
  const lacking = config.lackingServers.find(({ server }) => server.name === meant);
  if (lacking === undefined || others.includes(lacking.server.name)) return;
  const expected = `${lacking.variables[0].variable} in the environment, or another value in ${config.file}`;
  const message = lackText(lacking);
  faults.add(step, { code: "USER.CONFIG.INVALID", message, expected, at: ["operation"], maybe: true });
}
