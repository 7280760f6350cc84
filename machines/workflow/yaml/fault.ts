/** What is wrong with a YAML text, before anything is known of workflows. */
import type { FindingCode, Range } from "../finding.ts";

/** `loads`: AWF reads the file all the same. */
export type YamlFault = { code: FindingCode; message: string; expected?: string; range: Range; loads?: true };
