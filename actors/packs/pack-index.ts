/** An index of packs: a JSON file that names, for each, where its newest version is and its checksum. */
import { z } from "zod";
import { PACK_NAME } from "../../machines/workflow/pack.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { bytesOf, type Place, placeText } from "./source.ts";

const schema = z.object({
  packs: z.array(
    z.object({
      name: z.string().regex(PACK_NAME),
      version: z.string(),
      description: z.string().default(""),
      /** Of the archive, relative to the index. */
      url: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type IndexedPack = z.infer<typeof schema>["packs"][number];

/** Throws USER.PACK.UNREACHABLE, USER.PACK.TOO_LARGE, or USER.PACK.INDEX for a file that is no index. */
export async function readIndex(place: Place): Promise<IndexedPack[]> {
  const text = (await bytesOf(place)).toString("utf8");
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw notAnIndex(place, (error as Error).message);
  }
  const read = schema.safeParse(given);
  if (!read.success) throw notAnIndex(place, z.prettifyError(read.error));
  return read.data.packs;
}

function notAnIndex(place: Place, why: string): TroupeError {
  const message = `${placeText(place)} is no index of packs: ${why}`;
  return new TroupeError("USER.PACK.INDEX", message, { source: placeText(place) });
}
