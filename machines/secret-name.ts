/**
 * Which names promise a secret. Both sides use it: who checks inputs never repeats such a value, who masks looks for it.
 *
 * I1. A word of the name decides, wherever it stands: `OPENAI_API_KEY`, `GITHUB_TOKEN`, `db-password`, `apiKey`. A word
 *     that only begins like one does not: `AUTHOR`, `KEYBOARD`, `TOKENIZER`.
 * I2. A name that ends in a word for a place names a file or a folder, not what is in it: `SSH_AUTH_SOCK`, `KEY_FILE`.
 */

const SECRET = new Set(
  (
    "SECRET SECRETS KEY KEYS APIKEY APIKEYS TOKEN TOKENS PASSWORD PASSWORDS PASSWD PASSPHRASE PASSCODE PASS PAT PIN " +
    "CREDENTIAL CREDENTIALS CRED CREDS AUTH AUTHTOKEN AUTHORIZATION BEARER PRIVATE PRIVATEKEY COOKIE SIGNATURE"
  ).split(" "),
);
const PLACE = new Set(
  "PATH PATHS FILE FILES DIR DIRS DIRECTORY FOLDER HOME SOCK SOCKET NAME TYPE SIZE LENGTH".split(" "),
);

/** True for the name of a variable, an input or a header whose value is a secret. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((word) => word !== "");
  return !PLACE.has(words.at(-1) ?? "") && words.some((word) => SECRET.has(word));
}
