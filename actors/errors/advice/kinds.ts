/** What stands of one code in the table of causes and remedies. */
import type { Code } from "../codes.ts";

/** What most often lies behind it, and what to do. */
export type Advice = readonly [cause: string, remedy: string];
/** Of the codes that begin so. */
export type AdviceOf<Kind extends string> = { readonly [code in Extract<Code, Kind>]: Advice };
