// Builds the docs as a site of static files: `node .ci/site.mjs [folder]`, `site/` by default. It asks no other host for
// anything, and opens from a disk as it does from a server. With `--check` it writes nothing and fails where a page
// (`site/pages.mjs`) or the libraries' reference (`site/reference.mjs`) has a fault.
// I1. A page runs our own two scripts and no other; its policy says so.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { commandsPage } from "./site/commands.mjs";
import { escaped, htmlOf, sitePages } from "./site/pages.mjs";
import { referencePages } from "./site/reference.mjs";
import { SECTIONS } from "./site/sections.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = resolve(process.argv.slice(2).find((one) => !one.startsWith("-")) ?? "site");
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
const isCheck = process.argv.includes("--check");
const read = (path) => readFileSync(join(root, path), "utf8");

const reference = await referencePages();
const made = new Map([["docs/api/commands.md", await commandsPage(root)], ...reference.pages]);
const { pages, copies, faults } = sitePages({ made });
faults.push(...reference.faults);
const nameOf = (path) => (path === "README.md" ? "Start" : (pages.get(path)?.title ?? path));

const nav = (path) =>
  SECTIONS.map(({ title, pages: own }) => {
    const items = own.map((one) => {
      const to = posix.relative(posix.dirname(htmlOf(path)), htmlOf(one)) || posix.basename(htmlOf(one));
      return `<li><a href="${to}"${one === path ? ' aria-current="page"' : ""}>${escaped(nameOf(one))}</a></li>`;
    });
    return `<h2>${title}</h2><ul>${items.join("")}</ul>`;
  }).join("");

function documentOf(path, { title, html }) {
  const up = posix.relative(posix.dirname(htmlOf(path)), ".") || ".";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(title)}${path === "README.md" ? "" : " · Troupe"}</title>
<link rel="stylesheet" href="${up}/site.css">
<script src="${up}/site.js" data-up="${up}" defer></script>
</head>
<body>
<a class="skip" href="#site-content">Skip to the text</a>
<header><a class="home" href="${up}/index.html">Troupe</a>
<search><label for="site-search">Search</label><input id="site-search" type="search" autocomplete="off" aria-controls="site-results"></search>
<div id="site-results" role="region" aria-live="polite" aria-label="Search results"></div></header>
<div class="columns">
<nav aria-label="Pages"><details><summary>Pages</summary>${nav(path)}</details></nav>
<main id="site-content" tabindex="-1">
${html}
</main>
</div>
</body>
</html>
`;
}

if (faults.length > 0) {
  for (const fault of faults) console.error(fault);
  process.exit(1);
}
if (isCheck) process.exit(0);
rmSync(target, { recursive: true, force: true });
const put = (path, text) => {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
};
for (const [path, page] of pages) put(htmlOf(path), documentOf(path, page));
for (const path of copies) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  cpSync(join(root, path), join(target, path));
}
const index = [...pages].flatMap(([path, { title, sections }]) =>
  sections.map(({ id, title: heading, text }) => ({ id: `${htmlOf(path)}#${id}`, page: title, heading, text })),
);
put("search-index.js", `globalThis.troupeSections = ${JSON.stringify(index)};\n`);
put(
  "minisearch.js",
  readFileSync(fileURLToPath(new URL("../node_modules/minisearch/dist/umd/index.js", import.meta.url)), "utf8"),
);
for (const name of ["site.css", "site.js"]) put(name, read(`.ci/site/${name}`));
console.log(
  `${relative(process.cwd(), target)}: ${pages.size} pages, ${copies.size} files beside them, ${index.length} sections to search`,
);
