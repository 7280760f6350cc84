import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CODES, facesOf, isCode, UNMAPPED } from "../../../actors/errors/codes.ts";
import { TroupeError, troupeError } from "../../../actors/errors/troupe-error.ts";

const CODE = /["`]((?:USER|WORKFLOW|EXECUTION|SYSTEM)\.[A-Z_]+\.[A-Z_]+)["`]/g;
const FOLDERS = ["machines", "actors", "projections", "transports"];

function codesInSource(): string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  const found = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(CODE)].map((match) => match[1] ?? ""));
  return [...new Set(found)].sort();
}

describe("the table of codes", () => {
  test("knows every code that the source names", () => {
    expect(codesInSource().filter((code) => !isCode(code))).toEqual([]);
  });

  test("gives each class its exit code", () => {
    const exits = { USER: [1, 5], WORKFLOW: [2], EXECUTION: [3, 130], SYSTEM: [4] };
    const wrong = Object.entries(CODES).filter(([code, faces]) => {
      const allowed: readonly number[] = exits[code.split(".")[0] as keyof typeof exits];
      return !allowed.includes(faces.exit);
    });
    expect(wrong).toEqual([]);
  });

  test("I1: a code that it does not know fails closed", () => {
    expect(facesOf("NO.SUCH.CODE")).toEqual(CODES[UNMAPPED]);
    expect(facesOf("constructor")).toEqual(CODES[UNMAPPED]);
  });
});

describe("troupeError", () => {
  test("keeps a TroupeError as it is", () => {
    const error = new TroupeError("USER.INPUT.MISSING", "no input");
    expect(troupeError(error)).toBe(error);
  });
  test("keeps a known code of any error, and its cause", () => {
    const cause = Object.assign(new Error("gone"), { code: "SYSTEM.IO.READ_FAILED" });
    const error = troupeError(cause);
    expect([error.code, error.message, error.cause]).toEqual(["SYSTEM.IO.READ_FAILED", "gone", cause]);
  });
  test("gives everything else the unmapped code", () => {
    expect([troupeError(new Error("x")).code, troupeError("x").code, troupeError(null).message]).toEqual([
      UNMAPPED,
      UNMAPPED,
      "null",
    ]);
  });
});
