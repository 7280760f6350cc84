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

it.each([
  ["postgres://app:Zk9-hunter@db.example/app", ["Zk9-hunter"]],
  ["http://joe:p%40ss-word@proxy:3128", ["p%40ss-word", "p@ss-word"]],
  ["https://ghp_abcdefghij0123456789@github.com/a/b", ["ghp_abcdefghij0123456789"]],
  ["redis://:only-password@cache/0", ["only-password"]],
  ["jdbc:mysql://db/app?user=app&password=mysql-secret", ["mysql-secret"]],
  ["https://in.example/hook?token=hook-token-1&x=1&api_key=key-two-22", ["hook-token-1", "key-two-22"]],
  ["Server=db;User Id=app;Password=settings-pass", ["settings-pass"]],
  ["AccountName=a;AccountKey=YWJjZGVmZ2g=;EndpointSuffix=x", ["YWJjZGVmZ2g="]],
  // Words, and what is no address.
  ["postgres://postgres:postgres@localhost/app", []],
  ["http://a:b@c", []],
  ["https://example.org/?q=password", []],
  ["/usr/bin:/bin", []],
  ["di=01;34:ln=01;36", []],
])("I2: of %s these are secret whatever the name: %j", (value, secrets) =>
  expect(secretsOf({ ANY: value }).map(([, one]) => one)).toEqual(secrets),
);
