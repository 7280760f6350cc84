// `node .ci/docs.mjs`: writes docs/machines/ from the machines themselves: for each its config as JSON, which can be
// pasted into `createMachine(…)` or Stately's editor, its chart as Mermaid text, and an index page of all.
// Writes the tables of docs/agents.md, between its marks, from what the providers say of themselves.
// Writes docs/language.md from the schema of workflow files and its examples (`language.mjs`).
// Writes docs/errors.md from the tables of codes (`errors.mjs`).
// With `--check` it writes nothing and fails when a file is missing, stale, or left over, and when the site of the docs
// would have a fault: a link that leads nowhere, a page in no section (`site/pages.mjs`).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { errorsPage } from "./errors.mjs";
import { languagePage } from "./language.mjs";
import { sitePages } from "./site/pages.mjs";
import { MADE } from "./site/sections.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const SOURCES = "machines";
const TARGET = "docs/machines";
const SUFFIX = "-machine.ts";

/** Every `machines/<noun>-machine.ts` and the machine it exports. */
async function machines() {
  const files = readdirSync(join(root, SOURCES)).filter((name) => name.endsWith(SUFFIX));
  return Promise.all(
    files.sort().map(async (name) => {
      const file = join(root, SOURCES, name);
      const exported = await import(pathToFileURL(file).href);
      const found = Object.entries(exported).find(
        ([key, value]) => key.endsWith("Machine") && value?.root !== undefined,
      );
      if (found === undefined) throw new Error(`${SOURCES}/${name} exports no machine`);
      return { noun: name.slice(0, -SUFFIX.length), name, machine: found[1], head: headOf(readFileSync(file, "utf8")) };
    }),
  );
}

/** The prose and the invariants of a file's head comment. */
function headOf(source) {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? "";
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trim());
  const text = lines.join("\n").trim();
  const [about = "", ...rest] = text.split(/\n\s*\n/);
  const invariants = rest
    .join("\n")
    .split(/\n(?=I\d+\. )/)
    .map((item) => item.replaceAll("\n", " ").trim())
    .filter((item) => /^I\d+\. /.test(item));
  return { about: about.replaceAll("\n", " "), invariants };
}

const { definitionOf, named } = await import(pathToFileURL(join(root, SOURCES, "definition.ts")).href);

const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

// The chart as Mermaid text.

const idOf = (node) => node.path.join("_").replaceAll(/\W/g, "_");
const visible = (actions) =>
  // XState's own, which set and clear the timers of `after`, are functions with a type.
  actions
    .filter((action) => !action.type?.startsWith("xstate."))
    .map(named)
    .map((action) => action.type ?? action);

/** `xstate.done.actor.run` → "run done", `xstate.after.backoff.…` → "after backoff". */
function eventName(type) {
  const [, verb, child] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
  if (verb !== undefined) return `${child === "*" ? "any child" : child} ${verb === "done" ? "done" : "failed"}`;
  const after = /^xstate\.after\.([^.]+)\./.exec(type)?.[1];
  return after === undefined ? type : `after ${after}`;
}

function label(type, { guard, actions }) {
  const parts = type === "" ? [] : [eventName(type)];
  if (guard !== undefined) {
    const params = typeof guard.params === "object" ? ` ${Object.values(guard.params).join(" ")}` : "";
    parts.push(`[${guard.type ?? guard}${params}]`);
  }
  const done = visible(actions);
  if (done.length > 0) parts.push(`/ ${done.join(", ")}`);
  return parts.join(" ");
}

const transitionsOf = (node) => [
  ...list(node.always).map((transition) => ["", transition]),
  ...[...node.transitions].flatMap(([type, all]) => (type === "" ? [] : all.map((transition) => [type, transition]))),
];

/** Where an arrow begins. The machine itself has no box: its arrows begin at every state that does not take the event. */
const sourcesOf = (node, type) =>
  node.parent === undefined
    ? Object.values(node.states).filter((state) => state.type !== "final" && !state.transitions.has(type))
    : [node];

const WHOLE = { hasState: () => true, hasArrow: () => true };

/** What a machine goes through when nothing fails, nothing is cancelled, and no crash comes. */
const ASIDE = new Set(["stops", "cut off", "tries again"]);
const MISHAPS = /^(xstate\.error\.|cancel\.requested$|owner\.lost$|limit\.reached$|resume\.requested$)/;
const hasAside = (node) => node !== undefined && (node.tags.some((tag) => ASIDE.has(tag)) || hasAside(node.parent));
function happyPath(machine) {
  const hasState = (node) => !hasAside(node) && (node === machine.root || reached.has(node));
  const hasArrow = (type, { target, meta }) =>
    !MISHAPS.test(type) && meta?.aside !== true && (target ?? []).every((to) => !hasAside(to));
  // What only a mishap leads to is no part of it either.
  const reached = new Set();
  const reach = (node) => {
    if (node === undefined || reached.has(node) || hasAside(node)) return;
    reached.add(node);
    reach(node.parent);
    if (node.initial !== undefined) reach(node.initial.target[0]);
    for (const [type, transition] of transitionsOf(node))
      if (hasArrow(type, transition)) for (const to of transition.target ?? []) reach(to);
  };
  reach(machine.root);
  return { hasState, hasArrow };
}

function chart(machine, { hasState, hasArrow } = WHOLE) {
  const inner = [];
  const arrows = [];
  const draw = (node, indent) => {
    const states = Object.values(node.states).filter(hasState);
    const transitions = transitionsOf(node).filter(([type, transition]) => hasArrow(type, transition));
    if (node !== machine.root) {
      const name = `state "${node.key}" as ${idOf(node)}`;
      inner.push(`${indent}${name}${states.length > 0 ? " {" : ""}`);
    }
    const entry = visible(node.entry);
    const inside = transitions.filter(([, { target }]) => target === undefined);
    const remarks = [
      ...(entry.length > 0 ? [`entry / ${entry.join(", ")}`] : []),
      ...inside.map(([type, transition]) => label(type, transition)),
    ];
    const deeper = node === machine.root ? indent : `${indent}  `;
    // A composite state takes no lines of text of its own.
    if (states.length > 0) inner.push(...remarks.map((remark) => `${deeper}%% ${remark}`));
    else inner.push(...remarks.map((remark) => `${indent}${idOf(node)} : ${remark}`));
    // Regions side by side all begin at once.
    if (states.length > 0 && node.type !== "parallel") inner.push(`${deeper}[*] --> ${idOf(node.initial.target[0])}`);
    for (const state of states) draw(state, deeper);
    if (states.length > 0 && node !== machine.root) inner.push(`${indent}}`);
    for (const [type, transition] of transitions) {
      const text = label(type, transition);
      const arrow = (from, to) => arrows.push(`  ${idOf(from)} --> ${idOf(to)}${text === "" ? "" : ` : ${text}`}`);
      for (const to of transition.target ?? []) for (const from of sourcesOf(node, type)) arrow(from, to);
    }
    if (node.type === "final") arrows.push(`  ${idOf(node)} --> [*]`);
  };
  draw(machine.root, "  ");
  return `stateDiagram-v2\n${[...inner, ...arrows].join("\n")}\n`;
}

/** Machines whose whole chart is too much to begin with. */
const WITH_HAPPY_PATH = new Set(["step"]);
const mermaid = (text) => `\`\`\`mermaid\n${text}\`\`\`\n`;
const charts = (noun, machine) =>
  WITH_HAPPY_PATH.has(noun)
    ? `When all goes well ([Mermaid](${noun}-happy.mmd)):\n\n${mermaid(chart(machine, happyPath(machine)))}\nAll of it:\n\n${mermaid(chart(machine))}`
    : mermaid(chart(machine));

const nodesOf = (node) => [node, ...Object.values(node.states).flatMap(nodesOf)];
const row = (cells) => `| ${cells.join(" | ")} |`;

/** What each state is for, and what each event means that comes from outside. */
function words(machine) {
  const nodes = nodesOf(machine.root);
  const states = nodes
    .filter((node) => node !== machine.root)
    .map((node) => row([`\`${node.path.join(".")}\``, node.description ?? "", node.tags.join(", ")]));
  const events = new Map();
  for (const node of nodes)
    for (const [type, { description }] of transitionsOf(node))
      if (description !== undefined && !events.has(type)) events.set(type, description);
  const heard = [...events].map(([type, description]) => row([`\`${type}\``, description]));
  const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows].join("\n");
  const tables = [table(["state", "what it is", "tag"], states)];
  if (heard.length > 0) tables.push(table(["event", "what it means"], heard));
  return tables.join("\n\n");
}

function index(all) {
  const rows = all.map(
    ({ noun, name, machine, head }) =>
      `| [${noun}](#${noun}) | ${head.about.split(/(?<=[.:]) /)[0].replace(/:$/, ".")} | [${name}](../../${SOURCES}/${name}) | [JSON](${noun}.json), [Mermaid](${noun}.mmd) | ${machine.version ?? ""} |`,
  );
  const sections = all.map(
    ({ noun, machine, head }) =>
      `## ${noun}\n\n${head.about}\n\n${head.invariants.map((item) => `- ${item.replace(/^(I\d+)\./, "**$1**")}`).join("\n")}\n\n${charts(noun, machine)}\n${words(machine)}\n`,
  );
  return `<!-- Written by \`node .ci/docs.mjs\` from the machines. Do not edit. -->
# Machines

One fixed machine per noun; a workflow's graph is data in the context of a run. In the charts \`… done\` and \`… failed\` are the results of work or of a child machine, by the id of the child, \`[…?]\` is a guard, and what follows \`/\` are actions.
A tag says what a state means to a reader who does not know its machine: ${Object.entries(TAGS)
    .map(([tag, meaning]) => `*${tag}*: ${meaning}`)
    .join("; ")}.
The JSON is a config without code: paste it into \`createMachine(…)\` or into Stately's editor.

| machine | what it is | source | chart | version |
|---|---|---|---|---|
${rows.join("\n")}

${sections.join("\n")}`;
}

const { TAGS } = await import(pathToFileURL(join(root, SOURCES, "control.ts")).href);
const all = await machines();
const files = new Map([["README.md", index(all)]]);
for (const { noun, machine } of all) {
  files.set(`${noun}.json`, `${JSON.stringify(definitionOf(machine), null, 2)}\n`);
  files.set(`${noun}.mmd`, chart(machine));
  if (WITH_HAPPY_PATH.has(noun)) files.set(`${noun}-happy.mmd`, chart(machine, happyPath(machine)));
}

// What agents can and take, from `capabilities.ts` and each provider's `options.ts`.

const AGENTS = "docs/agents.md";
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
async function agentsPage(text) {
  let page = text;
  for (const [name, table] of Object.entries(await agentTables())) {
    const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    if (!page.includes(begin) || !page.includes(end)) throw new Error(`${AGENTS} has no place for ${name}`);
    page = page.slice(0, page.indexOf(begin) + begin.length) + table + page.slice(page.indexOf(end));
  }
  return page;
}

const agents = readFileSync(join(root, AGENTS), "utf8");
const agentsAnew = await agentsPage(agents);
const LANGUAGE = "docs/language.md";
const language = existsSync(join(root, LANGUAGE)) ? readFileSync(join(root, LANGUAGE), "utf8") : "";
const languageAnew = await languagePage();
const ERRORS = "docs/errors.md";
const errors = existsSync(join(root, ERRORS)) ? readFileSync(join(root, ERRORS), "utf8") : "";
const errorsAnew = errorsPage();
const target = join(root, TARGET);
const present = existsSync(target) ? readdirSync(target) : [];
const stale = [...files].filter(
  ([name, text]) => !present.includes(name) || readFileSync(join(target, name), "utf8") !== text,
);
const left = present.filter((name) => !files.has(name));

if (process.argv.includes("--check")) {
  for (const [name] of stale)
    process.stderr.write(`${TARGET}/${name} is not what the machines say: run \`node .ci/docs.mjs\`\n`);
  for (const name of left) process.stderr.write(`${TARGET}/${name} belongs to no machine: run \`node .ci/docs.mjs\`\n`);
  if (agents !== agentsAnew)
    process.stderr.write(`${AGENTS} is not what the providers say: run \`node .ci/docs.mjs\`\n`);
  if (language !== languageAnew)
    process.stderr.write(`${LANGUAGE} is not what the schema says: run \`node .ci/docs.mjs\`\n`);
  if (errors !== errorsAnew) process.stderr.write(`${ERRORS} is not what the tables say: run \`node .ci/docs.mjs\`\n`);
  const pages = [
    [agents, agentsAnew],
    [language, languageAnew],
    [errors, errorsAnew],
  ];
  const { faults } = sitePages({ unread: MADE });
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode =
    faults.length + stale.length + left.length > 0 || pages.some(([now, anew]) => now !== anew) ? 1 : 0;
} else {
  mkdirSync(target, { recursive: true });
  if (language !== languageAnew) writeFileSync(join(root, LANGUAGE), languageAnew);
  if (agents !== agentsAnew) writeFileSync(join(root, AGENTS), agentsAnew);
  if (errors !== errorsAnew) writeFileSync(join(root, ERRORS), errorsAnew);
  for (const [name, text] of stale) writeFileSync(join(target, name), text);
  for (const name of left) rmSync(join(target, name));
  process.stdout.write(`${TARGET}: ${files.size} files, ${stale.length} written, ${left.length} removed\n`);
}
