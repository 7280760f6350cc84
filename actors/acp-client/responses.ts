/**
 * The answers of an agent, checked: the SDK hands over whatever came.
 *
 * I1. What the types promise of a field that a client decides by is there; unknown fields stay.
 * I2. An agent may answer a method without a result with null, or not at all.
 */
import type {
  AgentRequestMethod,
  InitializeResponse,
  ListSessionsResponse,
  LoadSessionResponse,
  NewSessionResponse,
  PromptResponse,
  ResumeSessionResponse,
  SetSessionConfigOptionResponse,
} from "@agentclientprotocol/sdk";
import { z } from "zod";
import { ClientError } from "./errors.ts";

const refusal = z.looseObject({ code: z.int(), message: z.string() });
const flag = z.looseObject({}).nullish();
const word = z.string().min(1);

const modes = z.looseObject({ currentModeId: word, availableModes: z.array(z.looseObject({ id: word })) }).nullish();
const configOptions = z.array(z.looseObject({ id: word, name: z.string(), type: z.string() }));
const nothing = z.looseObject({}).nullish();
const opened = z.looseObject({ modes, configOptions: configOptions.nullish() });

const initialized = z.looseObject({
  protocolVersion: z.int().min(0),
  agentInfo: z.looseObject({ name: z.string(), version: z.string() }).nullish(),
  authMethods: z.array(z.looseObject({ id: word, name: z.string() })).nullish(),
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().nullish(),
      promptCapabilities: z
        .looseObject({
          image: z.boolean().nullish(),
          audio: z.boolean().nullish(),
          embeddedContext: z.boolean().nullish(),
        })
        .nullish(),
      mcpCapabilities: z.looseObject({ http: z.boolean().nullish(), sse: z.boolean().nullish() }).nullish(),
      sessionCapabilities: z
        .looseObject({ list: flag, resume: flag, close: flag, delete: flag, additionalDirectories: flag })
        .nullish(),
      auth: z.looseObject({ logout: flag }).nullish(),
    })
    .nullish(),
});

const SCHEMAS: { readonly [Method in AgentRequestMethod]: z.ZodType } = {
  initialize: initialized,
  authenticate: nothing,
  logout: nothing,
  "session/new": opened.extend({ sessionId: word }),
  "session/load": opened.nullish(),
  "session/resume": opened.nullish(),
  "session/list": z.looseObject({
    sessions: z.array(z.looseObject({ sessionId: word, cwd: word, title: z.string().nullish() })),
    nextCursor: z.string().nullish(),
  }),
  "session/delete": nothing,
  "session/close": nothing,
  "session/set_mode": nothing,
  "session/set_config_option": z.looseObject({ configOptions }),
  "session/prompt": z.looseObject({
    stopReason: z.enum(["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]),
  }),
};

type Responses = {
  initialize: InitializeResponse;
  "session/new": NewSessionResponse;
  "session/load": LoadSessionResponse;
  "session/resume": ResumeSessionResponse;
  "session/list": ListSessionsResponse;
  "session/set_config_option": SetSessionConfigOptionResponse;
  "session/prompt": PromptResponse;
};
/** What a method is answered with; a method without a result, with an object of no meaning. */
export type Response<Method extends AgentRequestMethod> = Method extends keyof Responses ? Responses[Method] : object;

/** Why an answer is none of JSON-RPC's, or null. */
export function faultOfAnswer(answer: object): string | null {
  const { result, error, jsonrpc } = answer as { [name: string]: unknown };
  if (jsonrpc !== "2.0") return 'it is not of "jsonrpc": "2.0"';
  if (result === undefined && error === undefined) return 'it has neither "result" nor "error"';
  if (result !== undefined && error !== undefined) return 'it has both "result" and "error"';
  return error === undefined || refusal.safeParse(error).success ? null : 'its "error" has no code and message';
}
/** What stands for such an answer: nothing, where that is all that the method can be answered with (I2). */
export function unanswered(method: string, answer: object): unknown {
  const isLeftOut = !("result" in answer || "error" in answer) && Object.hasOwn(SCHEMAS, method);
  if (isLeftOut && SCHEMAS[method as AgentRequestMethod].safeParse(undefined).success) return {};
  const message = `the agent's answer to ${method} is not valid: ${faultOfAnswer(answer)}`;
  throw new ClientError("invalidResponse", message, { method, field: "result" });
}

/** What stands for an answer whose id is that of no request, and which seems to be meant for this one. */
export function misnamed(method: string, answer: object): ClientError {
  const error = refusal.safeParse((answer as { error?: unknown }).error);
  const said = error.success ? `; it says: ${error.data.message}` : "";
  const id = JSON.stringify((answer as { id?: unknown }).id);
  const message = `the agent's answer to ${method} is not valid: its "id" is ${id}, which is not the request's${said}`;
  return new ClientError("invalidResponse", message, { method, field: "id" });
}

/** The answer, or the error `invalidResponse` with the field that is wrong. A method without a schema is passed on. */
export function checked(method: string, value: unknown): unknown {
  if (!Object.hasOwn(SCHEMAS, method)) return value;
  const parsed = SCHEMAS[method as AgentRequestMethod].safeParse(value);
  if (parsed.success) return parsed.data ?? {};
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") || "result";
  const message = `the agent's answer to ${method} is not valid: ${field}: ${issue?.message ?? "unknown"}`;
  throw new ClientError("invalidResponse", message, { method, field });
}
