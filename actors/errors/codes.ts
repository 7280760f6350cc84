/**
 * Every stable error code, and what it is on each face: the exit code of a command, an HTTP status, a JSON-RPC code.
 *
 * I1. A code that is not in the table counts as SYSTEM.INTERNAL.UNMAPPED: it fails closed, never as success.
 * I2. Exit codes: 0 success, 1 USER, 2 WORKFLOW, 3 EXECUTION, 4 SYSTEM, 5 consent that nobody could give.
 */

export type Faces = { exit: number; http: number; rpc: number };

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const NOT_FOUND = -32002;

const user = (http = 400, rpc = INVALID_PARAMS): Faces => ({ exit: 1, http, rpc });
const workflow = (): Faces => ({ exit: 2, http: 422, rpc: INVALID_PARAMS });
const execution = (http = 500): Faces => ({ exit: 3, http, rpc: INTERNAL });
const system = (http = 500): Faces => ({ exit: 4, http, rpc: INTERNAL });
const consent = (): Faces => ({ exit: 5, http: 403, rpc: INVALID_REQUEST });

export const CODES = {
  "USER.INPUT.MISSING": user(),
  "USER.INPUT.MISSING_FILE": user(404),
  "USER.INPUT.MISSING_ROLE": user(404),
  "USER.INPUT.MISSING_SKILL": user(404),
  "USER.INPUT.INVALID_FORMAT": user(),
  "USER.INPUT.VALIDATION_FAILED": user(422),
  "USER.INPUT.UNKNOWN": user(),
  "USER.INPUT.EMPTY": user(),
  "USER.FACADE.IDENTIFIER_EMPTY": user(),
  "USER.FACADE.IDENTIFIER_MALFORMED": user(),
  "USER.FACADE.PACK_NOT_FOUND": user(404),
  "USER.FACADE.WORKFLOW_NOT_FOUND": user(404),
  "USER.FACADE.SESSION_CLOSED": user(409, INVALID_REQUEST),
  "USER.FACADE.INPUT_REJECTED": user(409, INVALID_REQUEST),
  "USER.FACADE.DUPLICATE_RESPONSE": user(409, INVALID_REQUEST),
  "USER.RUN.NOT_FOUND": user(404, NOT_FOUND),
  "USER.RUN.NOT_RESUMABLE": user(409, INVALID_REQUEST),
  "USER.RUN.INTERRUPTED": user(409, INVALID_REQUEST),
  "USER.SESSION.UNKNOWN": user(404, NOT_FOUND),
  "USER.SESSION.BUSY_ELSEWHERE": user(409, INVALID_REQUEST),
  "USER.SESSION.CWD": user(),
  "USER.SESSION.CURSOR": user(),
  "USER.PROMPT.IN_FLIGHT": user(409, INVALID_REQUEST),
  "USER.PROMPT.NO_COMMAND": user(),
  "USER.PROMPT.TOO_LARGE": user(413),
  "USER.PROMPT.UNSUPPORTED_BLOCK": user(),
  "USER.TRUST.REQUIRED": consent(),
  "USER.TRUST.REFUSED": consent(),
  "USER.CLI.USAGE": user(),
  "USER.CLI.EXISTS": user(409),
  "USER.ACP.INVALID_PARAMS": user(),
  "USER.ACP.NOT_INITIALIZED": user(400, INVALID_REQUEST),
  "USER.ACP.MESSAGE_TOO_LARGE": user(413, INVALID_REQUEST),
  "USER.AGENT.UNKNOWN_PROVIDER": user(),
  "USER.AGENT.INVALID_OPTION": user(),
  "USER.MCP_PROXY.EMPTY_PROXY": user(422),
  "USER.MCP_PROXY.NAME_COLLISION": user(422),
  "USER.MCP_PROXY.UNKNOWN_KEY": user(422),
  "USER.MCP_PROXY.UNKNOWN_OPERATION": user(422),
  "USER.MCP_PROXY.UNKNOWN_PLUGIN": user(422),
  "WORKFLOW.PARSE.YAML_SYNTAX": workflow(),
  "WORKFLOW.PARSE.UNKNOWN_FIELD": workflow(),
  "WORKFLOW.PARSE.INVALID_FIELD": workflow(),
  "WORKFLOW.PARSE.TOO_LARGE": workflow(),
  "WORKFLOW.PARSE.BAD_USE_OF_TEMPLATE": workflow(),
  "WORKFLOW.PARSE.LIMIT_EXCEEDED": workflow(),
  "WORKFLOW.PARSE.MISSING_FIELD": workflow(),
  "WORKFLOW.VALIDATION.BAD_CONVERSATION": workflow(),
  "WORKFLOW.VALIDATION.UNDEFINED_NAME": workflow(),
  "WORKFLOW.VALIDATION.UNDEFINED_PROPERTY": workflow(),
  "WORKFLOW.VALIDATION.CYCLE_DETECTED": workflow(),
  "WORKFLOW.VALIDATION.MISSING_STATE": workflow(),
  "WORKFLOW.VALIDATION.INVALID_TRANSITION": workflow(),
  "WORKFLOW.VALIDATION.UNREACHABLE_STATE": workflow(),
  "WORKFLOW.VALIDATION.UNDEFINED_INPUT": workflow(),
  "WORKFLOW.VALIDATION.UNDEFINED_STATE": workflow(),
  "WORKFLOW.VALIDATION.FORWARD_REFERENCE": workflow(),
  "WORKFLOW.VALIDATION.BAD_EXPRESSION": workflow(),
  "WORKFLOW.VALIDATION.BAD_TEMPLATE": workflow(),
  "WORKFLOW.VALIDATION.FAILED": workflow(),
  "WORKFLOW.EXPRESSION.EVALUATION": workflow(),
  "WORKFLOW.TEMPLATE.RENDERING": workflow(),
  "WORKFLOW.CALL.CIRCULAR": workflow(),
  "WORKFLOW.CALL.TOO_DEEP": workflow(),
  "WORKFLOW.LOOP.BAD_ITEMS": workflow(),
  "WORKFLOW.LOOP.BAD_BOUND": workflow(),
  "EXECUTION.COMMAND.FAILED": execution(),
  "EXECUTION.COMMAND.TIMEOUT": execution(504),
  "EXECUTION.COMMAND.NOT_STARTED": execution(),
  "EXECUTION.COMMAND.OUTPUT_LIMIT": execution(),
  "EXECUTION.PARALLEL.PARTIAL_FAILURE": execution(),
  "EXECUTION.STEP.INTERRUPTED": execution(),
  "EXECUTION.STEP.DENIED": execution(),
  "EXECUTION.STEP.DEPENDENCY": execution(),
  "EXECUTION.RUN.FAILED": execution(),
  "EXECUTION.RUN.CANCELLED": { exit: 130, http: 409, rpc: INTERNAL },
  "EXECUTION.RUN.TOO_MANY_TRANSITIONS": execution(),
  "EXECUTION.HOOK.FAILED": execution(),
  "EXECUTION.OPERATION.UNSUPPORTED": execution(501),
  "EXECUTION.OPERATION.FAILED": execution(),
  "EXECUTION.AGENT.UNSUPPORTED": execution(501),
  "EXECUTION.AGENT.AUTH": execution(),
  "EXECUTION.AGENT.RATE_LIMIT": execution(),
  "EXECUTION.AGENT.OVERLOADED": execution(),
  "EXECUTION.AGENT.NETWORK": execution(),
  "EXECUTION.AGENT.REFUSED": execution(),
  "EXECUTION.AGENT.CUT": execution(),
  "EXECUTION.AGENT.CRASHED": execution(),
  "EXECUTION.AGENT.TIMEOUT": execution(504),
  "EXECUTION.AGENT.INVALID_OUTPUT": execution(),
  "SYSTEM.IO.READ_FAILED": system(),
  "SYSTEM.IO.WRITE_FAILED": system(),
  "SYSTEM.IO.PERMISSION_DENIED": system(),
  "SYSTEM.STORE.UNUSABLE": system(),
  "SYSTEM.STORE.NEWER": system(),
  "SYSTEM.PROCESS.LOST": system(),
  "SYSTEM.INTERNAL.UNMAPPED": system(),
} as const satisfies { [code: string]: Faces };

export type Code = keyof typeof CODES;
export const UNMAPPED: Code = "SYSTEM.INTERNAL.UNMAPPED";

export const isCode = (code: string): code is Code => Object.hasOwn(CODES, code);

/** What a code is on each face (I1). */
export const facesOf = (code: string): Faces => CODES[isCode(code) ? code : UNMAPPED];
