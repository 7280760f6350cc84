/**
 * Which names promise a secret. Both sides use it: who checks inputs never repeats such a value, who masks looks for it.
 *
 * I1. A name that begins with SECRET_, API_KEY or PASSWORD promises one, whatever follows: `SECRET_NAME`, `PASSWORD_TYPE`.
 * I2. Else a word of the name decides, wherever it stands: `OPENAI_API_KEY`, `GITHUB_TOKEN`, `db-password`, `apiKey`. A
 *     word that only begins like one does not: `AUTHOR`, `KEYBOARD`, `TOKENIZER`.
 * I3. A name that ends in a word for a place names a file or a folder, not what is in it: `SSH_AUTH_SOCK`, `KEY_FILE`.
 *     A number of tokens is no secret: `max_tokens`, `token_count`. Neither is what is called `pat` and nothing else.
 */

const PREFIX = /^(?:SECRET_|API_KEY|PASSWORD)/i;
const SECRET = new Set(
  (
    "SECRET SECRETS KEY KEYS APIKEY APIKEYS TOKEN TOKENS PASSWORD PASSWORDS PASSWD PASSPHRASE PASSCODE PASS PAT PIN " +
    "CREDENTIAL CREDENTIALS CRED CREDS AUTH AUTHTOKEN AUTHORIZATION BEARER PRIVATE PRIVATEKEY COOKIE SIGNATURE"
  ).split(" "),
);
const PLACE = new Set(
  "PATH PATHS FILE FILES DIR DIRS DIRECTORY FOLDER HOME SOCK SOCKET NAME TYPE SIZE LENGTH".split(" "),
);
/** With one of these, TOKEN and TOKENS are what models count. */
const AMOUNT = new Set("MAX MIN COUNT LIMIT TOTAL NUM NUMBER USED USAGE BUDGET PER".split(" "));
const COUNTED = new Set(["TOKEN", "TOKENS"]);

/** Names that stand for what everyone may read. */
const PLAIN = new Set(
  "MODEL REGION LEVEL LOG DEBUG MODE LANG LANGUAGE LOCALE TZ TIMEZONE TERM HOST PORT VERSION EDITOR USER SHELL".split(
    " ",
  ),
);

/** The shortest value that is looked for inside of words, in UTF-16 units; a shorter one is hidden as a word alone. */
export const MIN_SECRET = 4;

/** True for the name of a variable, an input or a header whose value is a secret. */
export function isSecretName(name: string): boolean {
  if (hasSecretPrefix(name)) return true;
  const words = wordsOf(name);
  if (PLACE.has(words.at(-1) ?? "") || name === "pat") return false;
  const isAmount = words.some((word) => AMOUNT.has(word));
  return words.some((word) => SECRET.has(word) && !(isAmount && COUNTED.has(word)));
}

/** The variable of an environment that holds the value of a secret input, where nobody types it. */
export const secretVariable = (name: string): string => `TROUPE_INPUT_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;

/** A name of I1: even a short value of it is looked for, as a word. */
export const hasSecretPrefix = (name: string): boolean => PREFIX.test(name);

/**
 * True for a name whose value is no secret where secrets are usual: the environment and the headers of a program that
 * the user or the author configured. Names that say nothing are not among them.
 */
export function isPlainName(name: string): boolean {
  const last = wordsOf(name).at(-1) ?? "";
  return !isSecretName(name) && (PLAIN.has(last) || PLACE.has(last));
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((word) => word !== "");
