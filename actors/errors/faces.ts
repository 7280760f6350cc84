/** What an error is on each face: the exit code of a command, an HTTP status, a JSON-RPC code; and those of each kind. */

export type Faces = { exit: number; http: number; rpc: number };

export const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
export const NOT_FOUND = -32002;

export const user = (http = 400, rpc = INVALID_PARAMS): Faces => ({ exit: 1, http, rpc });
export const workflow = (): Faces => ({ exit: 2, http: 422, rpc: INVALID_PARAMS });
export const execution = (http = 500): Faces => ({ exit: 3, http, rpc: INTERNAL });
export const cancelled = (): Faces => ({ exit: 130, http: 409, rpc: INTERNAL });
export const system = (http = 500): Faces => ({ exit: 4, http, rpc: INTERNAL });
export const consent = (): Faces => ({ exit: 5, http: 403, rpc: INVALID_REQUEST });
