/**
 * How far each demand on the ACP client (docs/harness.md) is met, and the tests that fail where it is not: the table of
 * docs/conformance.md. Tests are named by their file and the beginning of their title.
 */
import { PROCESS_DEMANDS } from "./harness/agents.ts";
import { EXCHANGE_DEMANDS } from "./harness/exchange.ts";
import { KEPT_DEMANDS } from "./harness/kept.ts";
import type { Standing } from "./harness/standing.ts";

export const HARNESS: { readonly [id: string]: Standing } = {
  ...PROCESS_DEMANDS,
  ...EXCHANGE_DEMANDS,
  ...KEPT_DEMANDS,
};
