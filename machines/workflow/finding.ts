/**
 * A fault of a workflow file, placed where an editor can underline it.
 *
 * I1. Lines and columns are 1-based; columns and ranges count UTF-16 units.
 */

export type Severity = "error" | "warning";

export const FINDING_CODES = [
  "WORKFLOW.PARSE.YAML_SYNTAX",
  "WORKFLOW.PARSE.LIMIT_EXCEEDED",
  "WORKFLOW.PARSE.UNKNOWN_FIELD",
  "WORKFLOW.PARSE.INVALID_FIELD",
  "WORKFLOW.PARSE.MISSING_FIELD",
  "WORKFLOW.PARSE.BAD_USE_OF_TEMPLATE",
  "WORKFLOW.VALIDATION.CYCLE_DETECTED",
  "WORKFLOW.VALIDATION.MISSING_STATE",
  "WORKFLOW.VALIDATION.INVALID_TRANSITION",
  "WORKFLOW.VALIDATION.UNREACHABLE_STATE",
  "WORKFLOW.VALIDATION.UNDEFINED_INPUT",
  "WORKFLOW.VALIDATION.UNDEFINED_STATE",
  "WORKFLOW.VALIDATION.UNDEFINED_NAME",
  "WORKFLOW.VALIDATION.UNDEFINED_PROPERTY",
  "WORKFLOW.VALIDATION.FORWARD_REFERENCE",
  "WORKFLOW.VALIDATION.BAD_EXPRESSION",
  "WORKFLOW.VALIDATION.BAD_TEMPLATE",
  "WORKFLOW.VALIDATION.VALUE_AS_CODE",
  "WORKFLOW.VALIDATION.BAD_CONVERSATION",
  "WORKFLOW.VALIDATION.SHORT_SECRET",
  "WORKFLOW.VALIDATION.SKIP_WITHOUT_WAY",
  "WORKFLOW.VALIDATION.NEVER_FOLLOWED",
  "WORKFLOW.CALL.CIRCULAR",
  "USER.FACADE.WORKFLOW_NOT_FOUND",
  "USER.INPUT.MISSING",
  "USER.INPUT.INVALID_FORMAT",
  "USER.INPUT.VALIDATION_FAILED",
  "USER.AGENT.UNKNOWN_PROVIDER",
  "USER.AGENT.INVALID_OPTION",
  "USER.AGENT.NOT_INSTALLED",
  "USER.AGENT.NOT_GRANTED",
  "USER.AGENT.NOT_SIGNED_IN",
  "EXECUTION.WORKTREE.UNSUPPORTED",
  "USER.AGENT.UNKNOWN",
  "USER.AGENT.DISABLED",
  "USER.AGENT.NO_MODEL",
  "USER.CONFIG.INVALID",
  "USER.INPUT.MISSING_FILE",
  "USER.INPUT.MISSING_ROLE",
  "USER.INPUT.MISSING_SKILL",
  "SYSTEM.IO.PERMISSION_DENIED",
  "SYSTEM.IO.READ_FAILED",
  "USER.OPERATION.INVALID_INPUT",
  "USER.MCP.INVALID_SERVER",
  "USER.INPUT.UNKNOWN",
  "WORKFLOW.VALIDATION.FAILED",
  "USER.OPERATION.UNKNOWN",
  "USER.MCP_PROXY.UNKNOWN_KEY",
  "USER.MCP_PROXY.UNKNOWN_PLUGIN",
  "USER.MCP_PROXY.UNKNOWN_OPERATION",
  "USER.MCP_PROXY.NAME_COLLISION",
  "USER.MCP_PROXY.EMPTY_PROXY",
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

export type Range = { start: number; end: number };

/** One fault of a workflow file, with its place and what to do. */
export type Finding = {
  code: FindingCode;
  severity: Severity;
  message: string;
  expected?: string;
  suggestion?: string;
  /** A warning for which a run that begins here and now is refused: its step would fail, and the run with it. */
  refuses?: true;
  /** Where in the document, `states.build.command`. */
  path: string;
  range: Range;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
};

/** What was expected and what was meant, each in words; nothing that the message says already. */
export function hintsOf({ message, expected, suggestion }: Finding): string[] {
  const meant = suggestion === undefined ? null : `did you mean "${suggestion}"?`;
  return [
    ...(expected === undefined || message.includes(expected) ? [] : [`expected ${expected}`]),
    ...(meant === null || message.includes(meant) ? [] : [meant]),
  ];
}
