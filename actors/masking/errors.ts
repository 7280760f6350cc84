/** Errors of the facade without secrets: a fault may repeat what was given. */
import type { Json } from "../../machines/model.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Mask } from "./masking.ts";
import { exchanged } from "./walk.ts";

/** The same error, or one with the same code and masked words. */
export function maskedError(error: unknown, mask: Pick<Mask, "text">): unknown {
  if (!(error instanceof TroupeError)) return error;
  const message = mask.text(error.message);
  const by = { text: (text: string) => mask.text(text), number: (number: number) => number };
  const details = exchanged(error.details, by) as { [name: string]: Json };
  if (message === error.message && details === error.details) return error;
  return new TroupeError(error.code, message, details);
}
