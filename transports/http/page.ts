/** The API's documentation as one page that loads nothing else. */
import type { Endpoint } from "./endpoint.ts";

const ESCAPES: { readonly [char: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char] as string);

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #8884; }
article { margin: 1.25rem 0; }
code { font: 14px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 4rem; font-weight: 600; }
ul { margin: .25rem 0 0; padding-left: 1.25rem; }
`;

/** The page, by tag in the order of the endpoints. */
export function page(endpoints: readonly Endpoint[], version: string): string {
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  const sections = tags.map(
    (tag) =>
      `<h2>${tag}</h2>${endpoints
        .filter((one) => one.tag === tag)
        .map(article)
        .join("")}`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Troupe API</title><style>${STYLE}</style></head><body>
<h1>Troupe API</h1>
<p>Version ${escaped(version)}. As a document for machines: <a href="/api/openapi.json">openapi.json</a>. Errors are
<code>application/problem+json</code> with a stable <code>code</code>.</p>
${sections.join("\n")}
</body></html>
`;
}

function article({ method, path, summary, query, body, answers, problems }: Endpoint): string {
  const answered = [
    ...Object.entries(answers).map(([status, { description }]) => `<li>${status}: ${escaped(description)}</li>`),
    ...(problems.length === 0 ? [] : [`<li>Problems: ${problems.join(", ")}</li>`]),
  ];
  const fields = [...shape("?", query), ...shape("", body)].map((name) => `<code>${escaped(name)}</code>`);
  return `<article><code><span class="method">${method.toUpperCase()}</span> ${escaped(path)}</code><br>${escaped(summary)}${
    fields.length === 0 ? "" : `<br>Takes ${fields.join(", ")}`
  }<ul>${answered.join("")}</ul></article>`;
}

const shape = (prefix: string, schema: Endpoint["query"]): string[] =>
  schema !== undefined && "shape" in schema ? Object.keys(schema.shape as object).map((name) => prefix + name) : [];
