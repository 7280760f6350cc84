/** Why a turn of an ACP agent failed, as a class that a workflow can act on. */
import type { StopReason } from "@agentclientprotocol/sdk";
import type { Json } from "../../../machines/model.ts";
import { AUTH_REQUIRED } from "../../acp-client/authenticated.ts";
import { isClientError } from "../../acp-client/errors.ts";
import { fieldsOf, textAt } from "../../base/json.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { AgentErrorClass, AgentResult } from "../agent.ts";
import { NO_CREDIT } from "../status.ts";
import { signInWords } from "./sign-in.ts";

type Failed = Extract<AgentResult, { status: "failed" }>;
const LONGEST_DETAILS = 500;

/** The most precise first: agents wrap what their model's service answered in words of their own. */
const SIGNS: readonly (readonly [AgentErrorClass, RegExp])[] = [
  ["no_credit", /\b402\b/],
  ["no_credit", NO_CREDIT],
  ["auth", /\b(401|403)\b|unauthori[sz]ed|unauthenticated|authentication|api key|log ?in\b/i],
  ["rate_limit", /\b429\b|rate.?limit|too many requests|quota/i],
  ["overloaded", /\b(500|502|503|529)\b|overloaded|unavailable/i],
  ["network", /ECONN|ENOTFOUND|ETIMEDOUT|network|connect/i],
];

/** Throws what is the author's or the user's to mend. */
export function failureOf(error: unknown, { name, slug }: { name: string; slug: string }): Failed {
  const failed = (kind: AgentErrorClass, message: string): Failed => ({
    status: "failed",
    class: kind,
    message: `${name}: ${message}`,
    text: "",
    usage: null,
  });
  if (!isClientError(error)) throw error;
  switch (error.type) {
    case "agentNotFound":
      throw new TroupeError("USER.CLIENT.AGENT_NOT_FOUND", `provider: ${error.message}`, error.details);
    case "requestTimeout": {
      const more = error.details["method"] === "initialize" ? "; limits.start_ms of its entry gives it longer" : "";
      return failed("timeout", error.message + more);
    }
    case "refused": {
      const { code, message, data } = error.details;
      if (code === AUTH_REQUIRED) return failed("auth", `${String(message)}; ${signInWords(slug)}`);
      const said = `${String(code)} ${String(message)} ${data === undefined ? "" : JSON.stringify(data)}`;
      const details = textAt(fieldsOf(data as Json), "details");
      const words = details === null ? error.message : `${error.message} (${details.slice(0, LONGEST_DETAILS)})`;
      return failed(SIGNS.find(([, sign]) => sign.test(said))?.[0] ?? "refused", words);
    }
    case "cancelled":
      return failed("cut", error.message);
    case "unsupported":
    case "busy":
      return failed("refused", error.message);
    // Nobody said no: its program does not speak the protocol, as an end of a turn for a reason that ACP does not know.
    case "unsupportedProtocol":
    case "invalidResponse":
    case "eof":
    case "notConnected":
    case "outcomeUnknown":
      return failed("crashed", error.message);
    default:
      return error.type satisfies never;
  }
}

/** The result of a turn that the agent ended itself. */
export function resultOf(reason: StopReason, text: string, name: string): AgentResult {
  const failed = (kind: AgentErrorClass, message: string): AgentResult => ({
    status: "failed",
    class: kind,
    message: `${name} ${message}`,
    text,
    usage: null,
    reason,
  });
  switch (reason) {
    case "end_turn":
      return { status: "completed", text, usage: null };
    case "refusal":
      return failed("refused", "refused to continue");
    case "max_tokens":
      return failed("cut", "stopped at its limit of tokens");
    case "max_turn_requests":
      return failed("cut", "stopped at its limit of requests");
    case "cancelled":
      return failed("cut", "was stopped");
    default:
      return failed("refused", `stopped for a reason that is not known: ${String(reason satisfies never)}`);
  }
}
