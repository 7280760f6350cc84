/**
 * Secrets among the arguments of a program, and in an address: what stands there is read by whoever sees a command line.
 *
 * I1. An argument holds one where its option, or a name before `=` or `:` in it, promises one (`isSecretName`), where it
 *     looks like the key of a service, or where an address has a password or such a name in it.
 * I2. What is shown keeps the words around the value.
 */
import { isSecretName } from "./secret-name.ts";

/** `shown`: the argument with [secret] in its place. */
export type SecretArgument = { shown: string; secret: string };

/** How keys of known services begin. */
const KEY =
  /^(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----)/;
/** Long, of one word, with letters of both cases and digits: what no person thinks up. */
const looksRandom = (value: string): boolean =>
  /^[A-Za-z0-9_+/=-]{24,}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
export const looksSecret = (value: string): boolean => KEY.test(value) || looksRandom(value);

const SHOWN = "[secret]";
const OPTION = /^--?[^=\s]+$/;
/** `--option=value`, `NAME=value`, `Header: value`. */
const NAMED = /^(--?[^=\s]+=|[A-Za-z_][\w.-]*=|[A-Za-z][\w-]*:\s+)(.+)$/s;
const SCHEME = /^(?:[A-Za-z][A-Za-z0-9-]* +)+(?=\S+$)/;
const PASSWORD = /^([a-z][a-z0-9+.-]*:\/\/[^/@\s:]*:)([^/@\s]+)(@.*)$/is;
const QUERY = /[?&;]([^=&;#]+)=([^&;#]+)/g;

/** By the index of the argument. */
export function secretArguments(args: readonly string[]): Map<number, SecretArgument> {
  const found = new Map<number, SecretArgument>();
  for (const [index, arg] of args.entries()) {
    const before = args[index - 1] ?? "";
    const follows = OPTION.test(before) && !arg.startsWith("-") && isSecretName(before);
    const secret = follows && arg !== "" ? { shown: SHOWN, secret: arg } : secretIn(arg);
    if (secret !== null) found.set(index, secret);
  }
  return found;
}

/** The secret of an address; null where it has none. */
export function secretOfAddress(url: string): SecretArgument | null {
  const [, head = "", password, tail = ""] = PASSWORD.exec(url) ?? [];
  if (password !== undefined) return { shown: `${head}${SHOWN}${tail}`, secret: password };
  for (const [, name = "", value = ""] of url.matchAll(QUERY))
    if (isSecretName(name) || looksSecret(value)) return { shown: url.replace(value, SHOWN), secret: value };
  return null;
}

/** A user without a password may be a token. */
const USER = /^[a-z][a-z0-9+.-]*:\/\/([^/@\s:]+)@/i;
/** A shorter one, and one that stands in the value twice, is a word: postgres://postgres:postgres@localhost. */
const MIN_WITHIN = 6;

/**
 * All that an address or a line of settings (`Server=…;Password=…`) holds of secrets; a password also as it is without
 * its escapes.
 */
export function secretsWithin(value: string): string[] {
  const isAddress = value.includes("://");
  if (!isAddress && !/;.*=|=.*;/s.test(value)) return [];
  const [, , password] = PASSWORD.exec(value) ?? [];
  const [, user = ""] = USER.exec(value) ?? [];
  const pairs = [...(isAddress ? value : `;${value}`).matchAll(QUERY)].filter(
    ([, name = "", given = ""]) => isSecretName(name.trim()) || (isAddress && looksSecret(given)),
  );
  const found = [...(password === undefined ? [] : [password]), ...(looksSecret(user) ? [user] : [])];
  const all = [...found, ...pairs.map(([, , given = ""]) => given)].filter(
    (one) => one.length >= MIN_WITHIN && value.split(one).length === 2,
  );
  return [...new Set(all.flatMap((one) => [one, unescaped(one)]))];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function secretIn(arg: string): SecretArgument | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(arg)) return secretOfAddress(arg);
  const [, name, given = ""] = NAMED.exec(arg) ?? [];
  if (name === undefined) return looksSecret(arg) ? { shown: SHOWN, secret: arg } : null;
  if (isSecretName(name.replace(/[=:\s]+$/, ""))) {
    const secret = given.replace(SCHEME, "");
    return { shown: `${name}${given.slice(0, given.length - secret.length)}${SHOWN}`, secret };
  }
  const within = secretIn(given);
  return within === null ? null : { shown: `${name}${within.shown}`, secret: within.secret };
}
