/** What a program says that is not known here: it is recorded as it came. */
import type { Json } from "../../machines/model.ts";
import type { AgentEvent } from "./agent.ts";

/** So much of a line that is no object, in UTF-16 units. */
const LONGEST = 1000;

export const unknown = (value: Json): AgentEvent => ({ type: "unknown", value });

/** A line that is no object. `value`: what JSON makes of it; null where it is none. */
export const unknownLine = (line: string, value: Json | null): AgentEvent => unknown(value ?? line.slice(0, LONGEST));
