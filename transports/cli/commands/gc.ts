/** `troupe gc`: the store brought to its limits. */
import { AGE_FORM, ageOf, SIZE_FORM, sizeOf } from "../../../actors/looking.ts";
import { collectedLines } from "../../../projections/terminal/upkeep.ts";
import { usage } from "../failure.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

type Asked = { age: string | null; runs: number | null; size: string | null };

export async function gc({ io, format }: CommandContext, { age, runs, size }: Asked, dryRun: boolean): Promise<number> {
  const maxAgeMs = read(age, ageOf, "--max-age", AGE_FORM);
  const maxBytes = read(size, sizeOf, "--max-size", SIZE_FORM);
  const limits = {
    ...(maxAgeMs === null ? {} : { maxAgeMs }),
    ...(runs === null ? {} : { maxRuns: runs }),
    ...(maxBytes === null ? {} : { maxBytes }),
  };
  return await withTroupe(io, async (troupe) => {
    const collected = await troupe.collect(limits, { dryRun });
    if (format === "json") writeJson(io, { dryRun, ...collected });
    else writeLines(io, collectedLines(collected, dryRun));
    return 0;
  });
}

function read(text: string | null, of: (text: string) => number | null, flag: string, form: string): number | null {
  const value = text === null ? null : of(text);
  if (text !== null && value === null) throw usage(`${flag} takes ${form}`);
  return value;
}
