/**
 * JSON that a program or its model has written.
 *
 * I1. What is nested too deep is none: what walks through values, to mask or to store them, would not come to its end.
 */
import type { Json } from "../../machines/model.ts";
import { shapeFault } from "../acp-client/shape.ts";
import { parsed } from "../base/json.ts";

/** The text as JSON, or null where it is none. */
export const toldJson = (text: string): Json | null =>
  shapeFault(text, { maxEntries: Number.POSITIVE_INFINITY }) === null ? parsed(text) : null;
