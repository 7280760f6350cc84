// Builds the docs as a site of static files: `node .ci/site.mjs [folder]`, `site/` by default. It asks no other host for
// anything, and opens from a disk as it does from a server.
// I1. Every page stands in the navigation once, and every entry of the navigation is a page.
// I2. Every link leads to a page of the site, to an anchor that is there, or to a file that is copied beside it. What
//     leads into the source is text here.
// I3. A page runs our own two scripts and no other; its policy says so.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import { SECTIONS } from "./site/sections.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = resolve(process.argv[2] ?? "site");
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
/** Kinds of files that pages show or offer. */
const COPIED = /\.(?:ya?ml|json|png|svg|sh|mmd)$/;

const faults = [];
const escaped = (text) =>
  text.replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);
const read = (path) => readFileSync(join(root, path), "utf8");
const plain = (html) =>
  html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** As GitHub names a heading, so that one link does for both. */
function slugs() {
  const seen = new Map();
  return (text) => {
    const slug = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}
const htmlOf = (path) =>
  path === "README.md" ? "index.html" : path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");

const listed = SECTIONS.flatMap(({ pages }) => pages);
const found = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"].concat(
  readdirSync(join(root, "docs"), { recursive: true })
    .map((name) => posix.join("docs", name))
    .filter((name) => name.endsWith(".md") && !/^docs\/(?:language|registry)\//.test(name)),
);
for (const page of found.filter((one) => !listed.includes(one) && !one.startsWith("docs/decisions/0")))
  faults.push(`${page} stands in no section: .ci/site/sections.mjs`); // I1
for (const page of listed.filter((one) => !found.includes(one)))
  faults.push(`the navigation has ${page}, which is no page`);

const pages = new Map(); // path → {title, html, anchors, sections, links}
const copies = new Set();

function rendered(path) {
  const slug = slugs();
  const page = { title: "", html: "", anchors: new Set(), sections: [], links: [] };
  const href = (given) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(given)) return given;
    const [file, anchor] = given.split("#");
    const to = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), file));
    const at = existsSync(join(root, to)) && statSync(join(root, to)).isDirectory() ? posix.join(to, "README.md") : to;
    const from = posix.dirname(htmlOf(path));
    if (found.includes(at)) {
      page.links.push({ to: at, anchor });
      return `${posix.relative(from, htmlOf(at)) || posix.basename(htmlOf(at))}${anchor === undefined ? "" : `#${anchor}`}`;
    }
    if (existsSync(join(root, at)) && COPIED.test(at)) {
      copies.add(at);
      return posix.relative(from, at);
    }
    if (!existsSync(join(root, to))) faults.push(`${path}: ${given} leads nowhere`);
    return null; // I2
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const id = slug(plain(html));
        page.anchors.add(id);
        if (page.title === "") page.title = plain(html);
        page.sections.push({ id, title: plain(html), text: "" });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      link({ href: given, tokens }) {
        const html = this.parser.parseInline(tokens);
        const to = href(given);
        return to === null ? html : `<a href="${escaped(to)}">${html}</a>`;
      },
      image({ href: given, text }) {
        return `<img src="${escaped(href(given) ?? "")}" alt="${escaped(text)}">`;
      },
      code({ text, lang = "" }) {
        return `<pre tabindex="0" aria-label="${escaped(lang || "text")}"><code>${escaped(text)}</code></pre>\n`;
      },
      table(token) {
        const row = (cells, tag) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const head = token.header.every(({ text }) => text === "")
          ? ""
          : `<thead>${row(token.header, "th").replaceAll("<th></th>", "<td></td>")}</thead>`;
        return `<div class="table" tabindex="0" role="region" aria-label="table"><table>${head}<tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>\n`;
      },
    },
    walkTokens(token) {
      if (token.type === "html") page.hasHtml = true;
    },
  });
  page.html = marked.parse(read(path));
  let rest = plain(page.html.replace(/<h[1-6] id="([^"]*)">.*?<\/h[1-6]>/gs, "\u0000$1\u0000"));
  const pieces = rest.split("\u0000");
  for (const section of page.sections)
    section.text = (pieces[pieces.indexOf(section.id) + 1] ?? "").replace(/\s+/g, " ").slice(0, 3000);
  rest = "";
  return page;
}
for (const path of found) pages.set(path, rendered(path));
for (const [path, { links }] of pages)
  for (const { to, anchor } of links)
    if (anchor !== undefined && !pages.get(to).anchors.has(anchor)) faults.push(`${path}: ${to} has no #${anchor}`);

const nav = (path) =>
  SECTIONS.map(({ title, pages: own }) => {
    const items = own.map((one) => {
      const to = posix.relative(posix.dirname(htmlOf(path)), htmlOf(one)) || posix.basename(htmlOf(one));
      const name = one === "README.md" ? "Start" : (pages.get(one)?.title ?? one);
      return `<li><a href="${to}"${one === path ? ' aria-current="page"' : ""}>${escaped(name)}</a></li>`;
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
<a class="skip" href="#content">Skip to the text</a>
<header><a class="home" href="${up}/index.html">Troupe</a>
<search><label for="search">Search</label><input id="search" type="search" autocomplete="off" aria-controls="results"></search>
<div id="results" role="region" aria-live="polite" aria-label="Search results"></div></header>
<div class="columns">
<nav aria-label="Pages"><details><summary>Pages</summary>${nav(path)}</details></nav>
<main id="content" tabindex="-1">
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
