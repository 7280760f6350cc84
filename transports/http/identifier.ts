/**
 * Which workflow a request means.
 *
 * I1. A file's path is no identifier here: who asks may not choose what is read.
 */
import { TroupeError } from "../../actors/troupe.ts";
import type { Params } from "./endpoint.ts";

const LOCAL = "local";
const PART = /^(?!\.)[^/\\\0]{1,128}$/;
const FILE = /\.ya?ml$/i;

/** `local/name` is `name`, as in AWF's paths. Throws USER.FACADE.IDENTIFIER_MALFORMED. */
export function identifierOf({ scope = "", name = "" }: Params): string {
  return checked(scope === LOCAL ? name : `${scope}/${name}`);
}

/** An identifier from a body. Throws USER.FACADE.IDENTIFIER_EMPTY or USER.FACADE.IDENTIFIER_MALFORMED. */
export function checked(identifier: string): string {
  if (identifier === "") throw new TroupeError("USER.FACADE.IDENTIFIER_EMPTY", "no workflow was named");
  const parts = identifier.split("/");
  if (parts.length > 2 || !parts.every((part) => PART.test(part)) || FILE.test(identifier))
    throw new TroupeError("USER.FACADE.IDENTIFIER_MALFORMED", "expected a workflow's name, or pack/name", {
      workflow: identifier.slice(0, 200),
    });
  return identifier;
}

/** The two parts of an identifier as they stand in a path. */
export function partsOf(identifier: string): { scope: string; workflow: string } {
  const cut = identifier.lastIndexOf("/");
  return { scope: cut < 0 ? LOCAL : identifier.slice(0, cut), workflow: identifier.slice(cut + 1) };
}
