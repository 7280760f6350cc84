/** A workflow's name in the four conventions: each maps to the one canonical name and back, and has one error code. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Discovery, FoundWorkflow } from "../../actors/catalogue/discover.ts";
import { findById } from "../../actors/catalogue/identifier.ts";
import { decodeMcpName, encodeMcpName } from "../../machines/prompt/mcp-name.ts";
import { parseCommand } from "../../machines/prompt/slash-command.ts";
import { encodeWireName } from "../../machines/prompt/wire-name.ts";
import { checked, identifierOf, partsOf } from "../../transports/http/identifier.ts";

type Convention = { to: (canonical: string) => string; from: (wire: string) => string };

const coded = (run: () => string): string => {
  try {
    return run();
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const CONVENTIONS: { readonly [name: string]: Convention } = {
  "command line": { to: (name) => name, from: (name) => name },
  "HTTP path": {
    to: (name) => Object.values(partsOf(name)).map(encodeURIComponent).join("/"),
    from: (path) => {
      const [scope = "", name = ""] = path.split("/").map(decodeURIComponent);
      return identifierOf({ scope, name });
    },
  },
  "HTTP body": { to: (name) => name, from: checked },
  ACP: {
    to: (name) => `/${encodeWireName(name)}`,
    from: (text) => {
      const parsed = parseCommand(text);
      return parsed.ok ? parsed.name : parsed.fault.code;
    },
  },
  MCP: { to: (name) => encodeMcpName(name) ?? "", from: (wire) => decodeMcpName(wire) ?? "no name" },
};
const NAMES = ["review", "speckit/specify", "my_pack/wf", "my/pack_wf", "a.b/c-d", "a__b", "A_/9_-2f"];
const found = (id: string): FoundWorkflow => ({ id, file: `/w/${id}.yaml`, fault: null }) as FoundWorkflow;
const DISCOVERY = {
  found: new Map(NAMES.map((id) => [id, found(id)])),
  packs: new Set<string>(),
  warnings: [],
} as Pick<Discovery, "found" | "packs" | "warnings"> as Discovery;
const resolved = (identifier: string): string => coded(() => findById(identifier, DISCOVERY, null).id);

describe.each(Object.entries(CONVENTIONS))("%s", (_, { to, from }) => {
  it.each(NAMES)("%s survives the way there and back, and is found", (name) => {
    expect(from(to(name))).toBe(name);
    expect(resolved(from(to(name)))).toBe(name);
  });
});

/** The same mistake, made in each face. */
const MISTAKES: [string, string, (() => string)[]][] = [
  ["no name", "USER.FACADE.IDENTIFIER_EMPTY", [() => resolved(""), () => checked(""), () => from("ACP", "/")]],
  [
    "a pack without a workflow",
    "USER.FACADE.IDENTIFIER_MALFORMED",
    [() => resolved("p/"), () => checked("p/"), () => resolved(from("ACP", "/p:")), () => identifierOf({ scope: "p" })],
  ],
  [
    "three parts",
    "USER.FACADE.IDENTIFIER_MALFORMED",
    [
      () => resolved("a/b/c"),
      () => checked("a/b/c"),
      () => resolved(from("ACP", "/a/b/c")),
      () => resolved("local/a/b"),
    ],
  ],
  [
    "a workflow that is not there",
    "USER.FACADE.WORKFLOW_NOT_FOUND",
    [
      () => resolved("nothing"),
      () => resolved(checked("local/nothing")),
      () => resolved(from("ACP", "/local:nothing")),
    ],
  ],
];
const from = (convention: string, wire: string): string => CONVENTIONS[convention]?.from(wire) ?? "";

test.each(MISTAKES)("%s is %s everywhere", (_, code, ways) => {
  expect(ways.map(coded)).toEqual(ways.map(() => code));
});

test.each(["local/review", "review"])("%s is the workflow of no pack, also in a body and a command", (name) => {
  expect([resolved(name), resolved(checked(name)), resolved(from("ACP", `/${name.replace("/", ":")}`))]).toEqual(
    Array(3).fill("review"),
  );
});

describe("MCP names", () => {
  const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/);
  const name = fc.oneof(
    part,
    fc.tuple(part, part).map((parts) => parts.join("/")),
  );

  test("round-trip, and no two names share one (I1)", () => {
    fc.assert(
      fc.property(name, (canonical) => {
        const wire = encodeMcpName(canonical);
        if (wire === null) return;
        expect(wire).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(decodeMcpName(wire)).toBe(canonical);
      }),
    );
  });
  test("a text that has no valid form is no name", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_.-]{0,20}$/), (wire) => {
        const canonical = decodeMcpName(wire);
        if (canonical !== null) expect(encodeMcpName(canonical)).toBe(wire);
      }),
    );
    expect(["", "_a", "a_", "a_b_c", "a.b", "a_-61"].map(decodeMcpName)).toEqual(Array(6).fill(null));
  });
  test("a name that would be longer has none (I2)", () => {
    expect(encodeMcpName("x".repeat(64))).toBe("x".repeat(64));
    expect(encodeMcpName("x".repeat(65))).toBe(null);
  });
});
