/**
 * Secrets among the values that were configured for a program: variables of its environment, its arguments, headers and
 * the address of a server.
 *
 * I1. Such a value is a secret, whatever its name says, but where the name says that it is none (`isPlainName`) or the
 *     value is too short to know.
 * I2. An argument or an address that holds a secret (`secretArguments`) gives that.
 * I3. What a header says of its scheme is no secret; what comes after it is one of its own.
 */
import type { McpServer } from "../../machines/mcp/server.ts";
import type { Json } from "../../machines/model.ts";
import { secretArguments, secretOfAddress } from "../../machines/secret-arguments.ts";
import { isPlainName, isSecretName } from "../../machines/secret-name.ts";
import type { Mask } from "./masking.ts";

type Learn = Pick<Mask, "learn">;
type Values = { readonly [name: string]: Json };

/** The shortest value that is a secret though its name does not say so. */
const MIN_UNSAID = 6;
const SCHEME = /^(?:[A-Za-z][A-Za-z0-9-]* +)+(?=\S+$)/;

/** The masking hears of the values of variables or headers. `above` begins the names by which they are known. */
export function learnValues(mask: Learn, above: string, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string" && typeof value !== "number") continue;
    const text = String(value);
    if (!isSecretName(name) && (isPlainName(name) || text.length < MIN_UNSAID)) continue;
    mask.learn(`${above}/${name}`, value);
    const token = text.replace(SCHEME, "");
    if (token !== text) mask.learn(`${above}/${name}#token`, token);
  }
}

/** The same for what a server of tools is started or called with. */
export function learnServer(mask: Learn, above: string, server: McpServer): void {
  const name = `${above}/${server.name}`;
  if (server.transport === "stdio") {
    learnValues(mask, name, server.env);
    learnArguments(mask, name, server.args);
  } else {
    learnValues(mask, name, server.headers);
    const address = secretOfAddress(server.url);
    if (address !== null) mask.learn(`${name}#address`, address.secret);
  }
}

/** The same for the arguments of a program. */
export function learnArguments(mask: Learn, above: string, args: readonly string[]): void {
  for (const [index, { secret }] of secretArguments(args)) mask.learn(`${above}#argument ${index + 1}`, secret);
}

/** The name of a secret that a prompt gave: the same in every process that knows the log. */
export const inputSecret = (turn: string, name: string): string => `input/${turn}/${name}`;
