import { expect, it } from "vitest";
import { isWorthHiding, secretsOf } from "../../../actors/masking/secrets.ts";
import { isSecretName } from "../../../machines/secret-name.ts";

it.each([
  "OPENAI_API_KEY",
  "GITHUB_TOKEN",
  "DB_PASSWORD",
  "PASSWORD_DB",
  "my-secret-value",
  "apiKey",
  "clientSecret",
  "AWSSecretAccessKey",
  "PRIVATE_KEY_PEM",
  "proxy_authorization",
  "npm_config__auth",
  "KEY",
  "X-Api-Key",
])("%s promises a secret", (name) => expect(isSecretName(name)).toBe(true));

it.each([
  "PATH",
  "PWD",
  "AUTHOR",
  "GIT_AUTHOR_NAME",
  "KEYBOARD",
  "TOKENIZER",
  "MONKEY",
  "SSH_AUTH_SOCK",
  "KEY_FILE",
  "PASSWORD_STORE_DIR",
  "TOKEN_PATH",
  "",
])("%s promises none", (name) => expect(isSecretName(name)).toBe(false));

it.each(["12345", "true", "Password", " ab ", "development", "/etc/passwd", "./here/is"])(
  "%s is not worth hiding",
  (value) => expect(isWorthHiding(value, () => true)).toBe(false),
);
it.each(["123456", "hunter2", "/9j/4AAQSkZJRg=="])("%s is", (value) =>
  expect(isWorthHiding(value, () => false)).toBe(true),
);

it("takes from an environment what has a secret's name and value", () => {
  const environment = { A_TOKEN: "abcdefgh", B_TOKEN: "abc", C: "abcdefgh", D_KEY: "/here", E_SECRET: undefined };
  expect(secretsOf(environment, (path) => path === "/here")).toEqual([["env/A_TOKEN", "abcdefgh"]]);
});
