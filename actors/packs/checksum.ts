/** The SHA-256 that an archive must have: as the user says it, or from the `checksums.txt` beside the archive. */
import { createHash } from "node:crypto";
import { TroupeError } from "../errors/troupe-error.ts";
import { beside, bytesOf, nameOf, type Place, placeText } from "./source.ts";

const HEX = /^[0-9a-f]{64}$/;

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/**
 * Checks an archive. `expected`: in hexadecimal digits; without one, what `checksums.txt` or `<archive>.sha256` says.
 * Throws USER.PACK.CHECKSUM_MISSING where nothing says it, USER.PACK.CHECKSUM_MISMATCH where it is another one.
 */
export async function checkArchiveSum(place: Place, bytes: Uint8Array, expected: string | undefined): Promise<void> {
  const source = placeText(place);
  const wanted = expected?.toLowerCase() ?? (await listed(place));
  if (wanted === null || !HEX.test(wanted)) {
    const message = `nothing says what ${source} must be: expected --sha256 with 64 hexadecimal digits, or a checksums.txt beside it`;
    throw new TroupeError("USER.PACK.CHECKSUM_MISSING", message, { source });
  }
  const actual = sha256(bytes);
  if (actual === wanted) return;
  const message = `${source} is not what was expected: its SHA-256 is ${actual}, expected ${wanted}. Nothing was installed`;
  throw new TroupeError("USER.PACK.CHECKSUM_MISMATCH", message, { source, expected: wanted, actual });
}

async function listed(place: Place): Promise<string | null> {
  const name = nameOf(place);
  for (const file of ["checksums.txt", `${name}.sha256`]) {
    const text = await bytesOf(beside(place, file)).then(
      (bytes) => bytes.toString("utf8"),
      () => "",
    );
    for (const line of text.split("\n")) {
      const [sum = "", of = name] = line.trim().split(/\s+\*?/);
      if (of.replace(/^\.\//, "") === name && HEX.test(sum.toLowerCase())) return sum.toLowerCase();
    }
  }
  return null;
}
