/**
 * What a client keeps out of all that it tells: the secrets that its caller starts an agent with, reaches it by, or hands
 * it. H44.
 *
 * I1. Errors, their details, and what the agent's program said last are masked; what the agent says in the protocol is its
 *     caller's to show, and `stream` masks that where it comes in pieces.
 */
import type { McpServer } from "@agentclientprotocol/sdk";
import type { Json } from "../../machines/model.ts";
import { secretOfAddress } from "../../machines/secret-arguments.ts";
import type { Environment } from "../base/user-folders.ts";
import { learnArguments, learnValues } from "../masking/given.ts";
import { Masking, type Stream } from "../masking/masking.ts";
import { secretsOf } from "../masking/secrets.ts";
import { exchanged } from "../masking/walk.ts";
import { ClientError, isClientError } from "./errors.ts";

export type ClientSecrets = {
  env?: { readonly [name: string]: string };
  args?: readonly string[];
  url?: string;
  token?: string;
  headers?: { readonly [name: string]: string };
  /** Other values. */
  secrets?: readonly string[];
  /** Its variables, where their names promise a secret. */
  environment?: Environment;
};

/** Hides what a client must not tell. @example const mask = new ClientMask({ secrets: [token] }); */
export class ClientMask {
  readonly #mask: Masking;

  constructor({ env = {}, args = [], url = "", token, headers = {}, secrets = [], environment = {} }: ClientSecrets) {
    this.#mask = new Masking(secretsOf(environment));
    learnValues(this.#mask, "agent", env);
    learnArguments(this.#mask, "agent", args);
    learnValues(this.#mask, "headers", headers);
    const address = secretOfAddress(url);
    for (const [index, secret] of [token, address?.secret, ...secrets].entries())
      if (secret !== undefined) this.#mask.learn(`secret/${index}`, secret);
  }

  /** Servers that an agent is handed. */
  learnServers(servers: readonly McpServer[]): void {
    for (const server of servers) {
      const name = `servers/${server.name}`;
      const values = "env" in server ? server.env : "headers" in server ? server.headers : [];
      learnValues(this.#mask, name, Object.fromEntries(values.map((one) => [one.name, one.value])));
      if ("args" in server) learnArguments(this.#mask, name, server.args);
    }
  }
  /** A whole text, masked. */
  text(text: string): string {
    return this.#mask.text(text);
  }
  /** A mask for text that comes in pieces. */
  stream(): Stream {
    return this.#mask.stream();
  }
  /** The same error, or one with masked words. */
  error(error: unknown): unknown {
    if (!isClientError(error)) return error;
    const message = this.text(error.message);
    const by = { text: (text: string) => this.text(text), number: (number: number) => number };
    const details = exchanged(error.details, by) as { [name: string]: Json };
    if (message === error.message && details === error.details) return error;
    return new ClientError(error.type, message, details);
  }
}
