/** A real agent as the shared cases see it: its environment, its options, and its permitted differences. */
import type { Agent, AgentErrorClass } from "../../actors/agents/agent.ts";
import type { Capabilities } from "../../actors/agents/capabilities.ts";
import type { Json } from "../../machines/model.ts";
import type { ModelServer } from "../support/model-server/model-server.ts";

/** The whole tour. CI plays a sample, without cases that take a slow program a minute (`npm run test:real:whole`). */
export const WHOLE = process.env["TROUPE_REAL"] === "whole";

type Options = { readonly [name: string]: Json };
export type Environment = { [name: string]: string };

export type Subject = {
  name: string;
  /** It takes seconds to start: the longest cases are only in the whole tour. */
  slow?: true;
  agent: () => Agent;
  can: Capabilities;
  /** Its whole environment: it speaks only to the model server. */
  environment: (server: { url: string }, home: string) => Environment;
  /** Puts its configuration into a fresh home. */
  prepare?: (server: { url: string }, home: string) => void;
  /** Options of every case, such as the model. */
  options: Options;
  /** Options with which it may use every tool. */
  open: Options;
  /** Options with which it may not write a file. */
  closed: Options;
  /** Options that a call of the MCP server `stub` needs beside `open`. */
  mcp?: Options;
  /** Options that Troupe's own tools need beside `closed`. */
  tools?: Options;
  /** The answer to its questions, where a case gives no other; without it they are refused. */
  answer?: "yes";
  /** Title and input of a shell call, where they are not the command and `{command}`. */
  shell?: (command: string) => { title: string; input: Json };
  /** Replies of the model that change `line 20` of this file to `LINE 20`. */
  edit?: (path: string) => Parameters<ModelServer["reply"]>;
  /** Options that the edit needs beside `open`. */
  editing?: Options;
  /** Failures of the model, the class of each, and the requests that such a run makes. */
  failures: readonly { status: number; class: AgentErrorClass; requests: number }[];
  /** The class of an answer that breaks off for good, for agents that try again only for a limited time. */
  cut?: AgentErrorClass;
  /** Files of a repository that would configure the agent; each holds `REPOSITORY_MARK`. */
  repository: (cwd: string) => { [path: string]: string };
};

/** Text that must not reach the model, and the name of a file that must not be written. */
export const REPOSITORY_MARK = "repository-mark";
