/** Secrets for tests: made up, and of every shape. */
export const SECRETS = {
  plain: "sk-canary-0123456789abcdef",
  odd: 'p"a\\ss/w?rd&=+ ü€',
  key: "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n-----END KEY-----\n",
  again: "abababab",
} as const;

/** Every form in which a secret is looked for, written down here apart from the code that makes them. */
export function spellings(value: string): string[] {
  const base64 = [0, 1, 2].map((offset) => Buffer.concat([Buffer.alloc(offset, "x"), Buffer.from(value)]));
  return [
    value,
    JSON.stringify(value),
    encodeURIComponent(value),
    ...base64.map((bytes) => bytes.toString("base64")),
    ...base64.map((bytes) => bytes.toString("base64url")),
  ];
}
