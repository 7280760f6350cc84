// Builds the page for browsers: one program with its libraries, its document and its style sheet. Nothing is built where
// what it was built of last is the same, which the file `built` says. The document names the hashes of the two others: they
// are the policy of a run that is exported as one file.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** The folder of the page in dist/. */
export const PAGE = "page";
const SOURCE = "transports/page/browser";
/** What its program is made of, beside the libraries that the lock names. */
const MADE_OF = [SOURCE, "projections", "machines", "package-lock.json", ".ci/page.mjs"];
/** Of all files of the page, compressed. */
const MOST_BYTES = 300 * 1024;

/** The files to put in place, as [name, text]; none where nothing has changed. */
export async function pageBuild(root, target) {
  const state = stateOf(root);
  const known = join(target, "built");
  if (existsSync(known) && readFileSync(known, "utf8") === state) return [];
  const bundle = await rolldown({
    cwd: root,
    input: `${SOURCE}/main.ts`,
    platform: "browser",
    resolve: { conditionNames: ["import", "module", "browser", "default"] },
    treeshake: true,
  });
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: { legal: true } });
  await bundle.close();
  if (output.length !== 1) throw new Error("the page is to be one program");
  const read = (name) => readFileSync(join(root, SOURCE, name), "utf8");
  const script = inline(output[0].code);
  const style = read("page.css").replaceAll(/^@import "(.+)";$/gm, (_, name) => read(name).trimEnd());
  const html = read("index.html")
    .replace('"style"', `"${hashOf(style)}"`)
    .replace('"script"', `"${hashOf(script)}"`);
  const files = [
    [`${PAGE}/page.js`, script],
    [`${PAGE}/page.css`, style],
    [`${PAGE}/index.html`, html],
  ];
  const bytes = files.reduce((sum, [, text]) => sum + gzipSync(text).length, 0);
  if (bytes > MOST_BYTES) throw new Error(`the page has ${bytes} bytes compressed; ${MOST_BYTES} are allowed`);
  return [...files, [`${PAGE}/built`, state]];
}

/** The program also stands within the document of an exported run: none of its texts may end its place there. */
const inline = (code) => code.replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3c!--");
const hashOf = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

function stateOf(root) {
  const hash = createHash("sha256");
  for (const place of MADE_OF) {
    const path = join(root, place);
    const files = place.includes(".")
      ? [path]
      : readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort();
    for (const file of files) hash.update(file.slice(root.length)).update("\0").update(readFileSync(file));
  }
  return hash.digest("hex");
}
