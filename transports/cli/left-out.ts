/** What a listing leaves out, on standard error. */
import type { Looking } from "../../actors/looking.ts";
import { leftOutLines } from "../../projections/terminal/findings.ts";
import type { Io } from "./io.ts";

/** Says it before what is listed: standard output is the same without it. */
export async function tellLeftOut(io: Io, looking: Looking): Promise<void> {
  const lines = leftOutLines(await looking.warnings(io.cwd), { colours: io.errColours });
  if (lines.length > 0) io.err(`${lines.join("\n")}\n`);
}
