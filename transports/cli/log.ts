/** The log's types, as the facade hands them out. */
import type { Session } from "../../actors/troupe.ts";

export type Exchange = ReturnType<Session["rows"]>[number];
export type Frame = Parameters<Parameters<Session["follow"]>[1]>[0][number];
