/** The page as it was built: one document, one program, one style sheet. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TroupeError } from "../../actors/troupe.ts";

/** `etag`: a strong one, of its content. */
export type PageFile = { text: string; etag: string };
export type PageFiles = { html: PageFile; script: PageFile; style: PageFile };

/** What was built of the page lies beside or above us; seen from the sources, in the folder of builds. */
function folder(here = fileURLToPath(import.meta.url)): string {
  const above = dirname(here);
  const places = here.endsWith(".ts")
    ? [join(above, "..", "..", "dist", "page")]
    : [join(above, "page"), join(above, "..", "page")];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new TroupeError("SYSTEM.IO.READ_FAILED", "the page was not built: npm run build");
  return found;
}

/** Reads all of it. Throws SYSTEM.IO.READ_FAILED where it was not built. */
export function pageFiles(): PageFiles {
  const place = folder();
  const read = (name: string): PageFile => {
    const text = readFileSync(join(place, name), "utf8");
    return { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
  };
  return { html: read("index.html"), script: read("page.js"), style: read("page.css") };
}
