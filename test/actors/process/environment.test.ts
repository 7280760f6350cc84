import { describe, expect, it } from "vitest";
import { agentEnvironment, commandEnvironment } from "../../../actors/process/environment.ts";

const harmless = {
  PATH: "/bin",
  HOME: "/home/u",
  LANG: "C",
  LC_ALL: "C",
  TERM: "xterm",
  TMPDIR: "/tmp",
  USER: "u",
  SHELL: "/bin/sh",
  XDG_CONFIG_HOME: "/home/u/.config",
  HTTPS_PROXY: "http://proxy",
  no_proxy: "localhost",
  NODE_EXTRA_CA_CERTS: "/ca.pem",
  SSL_CERT_FILE: "/ca.pem",
  SSL_CERT_DIR: "/certs",
};

const canaries = Object.fromEntries(
  [
    "AWS_SECRET_ACCESS_KEY GITHUB_TOKEN OPENAI_API_KEY DB_PASSWORD SSH_AUTH_SOCK NODE_OPTIONS LD_PRELOAD",
    "LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES GIT_SSH_COMMAND PYTHONSTARTUP BASH_ENV ENV PROMPT_COMMAND",
    "TROUPE_TOKEN TROUPE_OWNER TROUPE_SCOPE LC_ XDG_ PATHS XPATH path HOME_ SSL_CERT",
  ]
    .join(" ")
    .split(" ")
    .map((name) => [name, `canary of ${name}`]),
);

describe("environment", () => {
  it("gives an agent what is on the list and what is configured (I2, T24)", () => {
    const extra = { GEMINI_API_KEY: "configured", PATH: "/opt/bin" };
    expect(agentEnvironment({ ...canaries, ...harmless }, extra)).toEqual({ ...harmless, ...extra });
  });

  it("gives an agent what its provider names beside that, and never Troupe's own", () => {
    const mine = { ANTHROPIC_API_KEY: "k", IS_SANDBOX: "1", TROUPE_TOKEN: "t" };
    const allowed = { names: ["IS_SANDBOX", "TROUPE_TOKEN"], prefixes: ["ANTHROPIC_", "TROUPE_"] };
    expect(agentEnvironment({ ...canaries, ...harmless, ...mine, ANTHROPIC_: "" }, {}, allowed)).toEqual({
      ...harmless,
      ANTHROPIC_API_KEY: "k",
      IS_SANDBOX: "1",
    });
  });

  it("gives a command everything but Troupe's own (I1)", () => {
    const parent = { ...harmless, ...canaries, UNSET: undefined };
    const { TROUPE_TOKEN, TROUPE_OWNER, TROUPE_SCOPE, ...rest } = canaries;
    expect([TROUPE_TOKEN, TROUPE_OWNER, TROUPE_SCOPE]).not.toContain(undefined);
    expect(commandEnvironment(parent)).toEqual({ ...harmless, ...rest });
  });
});
