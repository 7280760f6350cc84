// The tables of docs/agents.md, between its marks: what agents can and take, from `capabilities.ts` and each provider's
// `options.ts`.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";

const yes = (value) => (value ? "yes" : "no");
const COLUMNS = [
  ["text", ({ text }) => (text === "pieces" ? "as it is written" : "whole messages")],
  ["thoughts", ({ thoughts }) => yes(thoughts)],
  ["a failed command", ({ failures }) => (failures ? "is a failed call" : "is a call that ended")],
  [
    "a refused tool",
    ({ refusals }) => ({ reported: "is a failed call", silent: "is not reported" })[refusals] ?? refusals,
  ],
  ["asks", ({ asks }) => yes(asks)],
  ["diffs", ({ diffs }) => ({ file: "whole files", lines: "changed lines", none: "no" })[diffs]],
  ["system prompt", ({ systemPrompt }) => (systemPrompt ? "apart" : "before the prompt")],
  ["resumes", ({ resumes }) => yes(resumes)],
  ["MCP", ({ mcp }) => yes(mcp)],
  ["tokens", ({ tokens }) => yes(tokens)],
  ["context", ({ context }) => yes(context)],
  ["cost", ({ cost }) => yes(cost)],
  ["images", ({ images }) => yes(images)],
  ["audio", ({ audio }) => yes(audio)],
  ["a broken answer", ({ asksAgain }) => (asksAgain ? "is asked for again" : "fails the step")],
];

const cells = (values) => `| ${values.join(" | ")} |`;
const tableOf = (head, rows) => [cells(head), cells(head.map(() => "---")), ...rows.map(cells)].join("\n");
const moduleOf = (...path) => import(pathToFileURL(join(root, "actors", "agents", ...path)).href);

function formOf({ type, of, whole, from, to }) {
  if (type === "choice") return ` (${of.map((one) => `\`${one}\``).join(", ")})`;
  if (type === "flag") return " (true, false)";
  if (type === "list" || type === "map") return ` (a ${type})`;
  if (type !== "number") return "";
  const span = from === undefined ? " above 0" : to === undefined ? ` from ${from}` : ` from ${from} to ${to}`;
  return ` (${whole ? "a whole number" : "a number"}${span})`;
}

async function agentTables() {
  const { CAPABILITIES } = await moduleOf("capabilities.ts");
  const providers = Object.entries(CAPABILITIES).sort(([a], [b]) => a.localeCompare(b));
  const names = providers.map(([name]) => `\`${name}\``);
  const can = COLUMNS.map(([title, show]) => [title, ...providers.map(([, one]) => show(one))]);
  const described = readdirSync(join(root, "actors", "agents")).filter((name) =>
    existsSync(join(root, "actors", "agents", name, "options.ts")),
  );
  const options = await Promise.all(
    described.sort().map(async (name) => {
      const table = Object.entries((await moduleOf(name, "options.ts")).OPTIONS);
      return [`\`${name}\``, table.map(([option, form]) => `\`${option}\`${formOf(form)}`).join(", ")];
    }),
  );
  return { capabilities: tableOf(["", ...names], can), options: tableOf(["provider", "options"], options) };
}

/** The page with its tables anew: each stands between `<!-- name -->` and `<!-- /name -->`. */
export async function agentsPage(text) {
  let page = text;
  for (const [name, table] of Object.entries(await agentTables())) {
    const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    if (!page.includes(begin) || !page.includes(end)) throw new Error(`docs/agents.md has no place for ${name}`);
    page = page.slice(0, page.indexOf(begin) + begin.length) + table + page.slice(page.indexOf(end));
  }
  return page;
}
