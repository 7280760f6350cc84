/** `--format json`: one value on standard output. */
import { safeJson } from "../../projections/terminal/safe.ts";
import type { Io } from "./io.ts";

export const writeJson = (io: Io, value: unknown): void => io.out(`${safeJson(JSON.stringify(value, null, 2))}\n`);
