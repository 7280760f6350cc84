// docs/machines/ from the machines themselves: for each its config as JSON, which can be pasted into `createMachine(…)` or
// Stately's editor, its chart as Mermaid text, and an index page of all.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chart, happyPath, transitionsOf } from "./mermaid.mjs";
import { root } from "./root.mjs";

const SOURCES = "machines";
const SUFFIX = "-machine.ts";

const load = (name) => import(pathToFileURL(join(root, SOURCES, name)).href);
const { definitionOf } = await load("definition.ts");
const { TAGS } = await load("control.ts");

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

/** The files of docs/machines/ by name. */
export async function machineFiles() {
  const all = await machines();
  const files = new Map([["README.md", index(all)]]);
  for (const { noun, machine } of all) {
    files.set(`${noun}.json`, `${JSON.stringify(definitionOf(machine), null, 2)}\n`);
    files.set(`${noun}.mmd`, chart(machine));
    if (WITH_HAPPY_PATH.has(noun)) files.set(`${noun}-happy.mmd`, chart(machine, happyPath(machine)));
  }
  return files;
}
