// The pages of the site, read and rendered, with what is wrong with them.
// I1. Every page stands in the navigation once, and every entry of the navigation is a page.
// I2. Every link leads to a page of the site, to an anchor that is there, or to a file that is copied beside it. What
//     leads into the source is text here.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import { SECTIONS } from "./sections.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Kinds of files that pages show or offer. */
const COPIED = /\.(?:ya?ml|json|png|svg|sh|mmd)$/;

export const escaped = (text) =>
  text.replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);
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
export const htmlOf = (path) =>
  path === "README.md" ? "index.html" : path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");

/**
 * `{pages, copies, faults}`: each page by its path, with its title, HTML, anchors and sections; the files that stand
 * beside them. `made`: the Markdown of pages that are no files, by their paths; `unread`: pages that are not made now.
 */
export function sitePages({ made = new Map(), unread = [] } = {}) {
  const faults = [];
  const pages = new Map();
  const copies = new Set();
  const listed = SECTIONS.flatMap((section) => section.pages).filter((one) => !unread.includes(one));
  const found = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"].concat(
    readdirSync(join(root, "docs"), { recursive: true })
      .map((name) => posix.join("docs", name))
      .filter((name) => name.endsWith(".md") && !/^docs\/(?:language|registry)\//.test(name)),
    [...made.keys()],
  );
  for (const page of found.filter((one) => !listed.includes(one) && !one.startsWith("docs/decisions/0")))
    faults.push(`${page} stands in no section: .ci/site/sections.mjs`); // I1
  for (const page of listed.filter((one) => !found.includes(one)))
    faults.push(`the navigation has ${page}, which is no page`);
  const read = (path) => made.get(path) ?? readFileSync(join(root, path), "utf8");
  for (const path of found) pages.set(path, rendered(path, read(path), { found, copies, faults }));
  for (const [path, { links }] of pages)
    for (const { to, anchor } of links)
      if (anchor !== undefined && !pages.get(to).anchors.has(anchor)) faults.push(`${path}: ${to} has no #${anchor}`); // I2
  return { pages, copies, faults };
}

function rendered(path, text, { found, copies, faults }) {
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
  });
  page.html = marked.parse(text);
  for (const [, id] of page.html.matchAll(/<a id="([^"]+)">/g)) page.anchors.add(id);
  const rest = plain(page.html.replace(/<h[1-6] id="([^"]*)">.*?<\/h[1-6]>/gs, "\u0000$1\u0000"));
  const pieces = rest.split("\u0000");
  for (const section of page.sections)
    section.text = (pieces[pieces.indexOf(section.id) + 1] ?? "").replace(/\s+/g, " ").slice(0, 3000);
  return page;
}
