import { expect, it } from "vitest";
import { secretsOf, soughtAs } from "../../../actors/masking/secrets.ts";
import { hasSecretPrefix, isPlainName, isSecretName } from "../../../machines/secret-name.ts";

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
  "SECRET_NAME",
  "secret_name",
  "API_KEY_FILE",
  "API_KEYS",
  "PASSWORD_TYPE",
  "PASSWORD_STORE_DIR",
  "passwordless",
  "GITHUB_PAT",
  "access_token",
  "ACCESS_TOKENS",
  "max_token_password",
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
  "TOKEN_PATH",
  "max_tokens",
  "maxTokens",
  "token_count",
  "TOTAL_TOKENS",
  "pat",
  "DB_PASSWORD_FILE",
  "SECRETARY",
  "",
])("%s promises none", (name) => expect(isSecretName(name)).toBe(false));

it.each(["true", "Password", "yes", "0", " ", "development", "/etc/passwd", "./here/is"])(
  "%s is looked for nowhere but under its name",
  (value) => expect(soughtAs(value, () => true)).toBe("alone"),
);
it.each(["abc", " ab ", "7"])("%s is looked for as a word", (value) => expect(soughtAs(value)).toBe("word"));
it.each(["1234", "123456", "hunter2", "/9j/4AAQSkZJRg=="])("%s is looked for anywhere", (value) =>
  expect(soughtAs(value, () => false)).toBe("anywhere"),
);

it("takes from an environment what has a secret's name and value", () => {
  const environment = { A_TOKEN: "abcdefgh", B_TOKEN: "abc", C: "abcdefgh", D_KEY: "/here", E_SECRET: undefined };
  expect(secretsOf(environment, (path) => path === "/here")).toEqual([["env/A_TOKEN", "abcdefgh"]]);
});
it.each(["enable", "enabled", "disable", "disabled", "password", "password123", "PASSWORD"])(
  "%s is a common word, also under such a name",
  (value) => {
    expect(soughtAs(value)).toBe("alone");
    expect(secretsOf({ SECRET_MODE: value })).toEqual([]);
  },
);
it.each(["Zm9v/YmFy", "a~/here", "x./here"])("%s is no path, whatever is there", (value) =>
  expect(soughtAs(value, () => true)).toBe("anywhere"),
);
it("takes a short value where the name leaves no doubt", () => {
  const environment = { SECRET_NAME: "abc", API_KEY: "k1", PASSWORD_TYPE: "pw", MY_SECRET: "abc" };
  expect(secretsOf(environment)).toEqual([
    ["env/SECRET_NAME", "abc"],
    ["env/API_KEY", "k1"],
    ["env/PASSWORD_TYPE", "pw"],
  ]);
  expect(Object.keys(environment).filter(hasSecretPrefix)).toEqual(["SECRET_NAME", "API_KEY", "PASSWORD_TYPE"]);
});

it.each(["ANTHROPIC_MODEL", "AWS_REGION", "LOG_LEVEL", "CONFIG_DIR"])("%s says that it is none", (name) =>
  expect(isPlainName(name)).toBe(true),
);
it.each(["ANTHROPIC_API_KEY", "CANARY", "X-Session", "PASSWORD_MODE"])("%s may be one", (name) =>
  expect(isPlainName(name)).toBe(false),
);
