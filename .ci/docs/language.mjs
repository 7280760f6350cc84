// docs/language.md: every key of a workflow file from its schema, every name that templates see from the checker's own
// lists, each with the version that brought it (`since.json`) and a file of docs/language that uses it. A key or name
// without one of these fails, and a test runs the files.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { MEMBER_NAMES, OPEN_NAMES, STATE_NAMES } from "./language-names.mjs";
import { root } from "./root.mjs";

const FOLDER = "docs/language";
const load = (...path) => import(pathToFileURL(join(root, ...path)).href);

const HEAD = `# The language of workflow files

Made from the schema and from what \`validate\` knows by \`node .ci/docs.mjs\`. Each line names a file of [docs/language](language) that uses it; the tests validate and run them. *Default* is what holds without the key; *since* is the version that brought it. What the words mean together is in the [guide](guide.md).
`;

/** Keys with values to choose from that have no default: without them nothing is asked for, or it is as their text says. */
const NO_DEFAULT = /^((inputs|questions)\.validation\.(min|max)|mcp_servers\.<name>\.type|requires\.\w+|isolation)$/;

const SINCE = ".ci/since.json";
/** The version that brought each key and name. */
const since = new Map(
  Object.entries(JSON.parse(readFileSync(join(root, SINCE), "utf8"))).flatMap(([version, names]) =>
    names.map((name) => [name, version]),
  ),
);
const dated = new Set();
function sinceOf(name) {
  const version = since.get(name);
  if (version === undefined)
    throw new Error(`${SINCE} does not say since when there is ${name}: add it to the version to come`);
  dated.add(name);
  return version;
}

/** What holds without a key, in the words of its text; `none` where nothing does. */
function defaultIn(text) {
  const named = /(\S+) \(default\)/.exec(text) ?? /(?:^|[;:,.] )((?:(?![;:,.] ).)+), the default/.exec(text);
  if (named !== null) return named[1];
  const before = /(?:^|[;:,.] )((?:(?![;:,.] ).)+?) by default( for [^.]*)?/.exec(text);
  if (before !== null) return before[1].replace(/^(?:or|and) /, "") + (before[2] ?? "");
  const after = /(?:[;:,.] |^)by default ([^.;]+)/i.exec(text);
  return after === null ? "none" : after[1];
}

/** A key that takes one of some values, a number or a time says what holds without it. */
function defaultOf(key, values, text) {
  const isChosen = values.includes("`") || /true, false|number/.test(values);
  if (!isChosen || NO_DEFAULT.test(key) || /default/.test(text)) return;
  throw new Error(`the schema does not say what holds without ${key}: ${text}`);
}

const examples = readdirSync(join(root, FOLDER))
  .filter((name) => name.endsWith(".yaml"))
  .sort()
  .map((name) => {
    const text = readFileSync(join(root, FOLDER, name), "utf8");
    return { name, text, keys: keysOf(parse(text)) };
  });

/** The keys of a document as `parent.key`; of a state's own keys the parent is `state`, of the document's `workflow`. */
function keysOf(document) {
  const keys = new Set();
  const walk = (value, parent) => {
    if (Array.isArray(value)) for (const one of value) walk(one, parent);
    else if (value !== null && typeof value === "object")
      for (const [key, below] of Object.entries(value)) {
        keys.add(`${parent}.${key}`);
        if (parent === "workflow" && (key === "states" || key === "mcp_servers")) {
          for (const [name, one] of Object.entries(below)) {
            if (typeof one === "string") keys.add(`${key}.${name}`);
            else walk(one, key === "states" ? "state" : key);
          }
        } else walk(below, key);
      }
  };
  walk(document, "workflow");
  return keys;
}

function exampleOf(what, isIn) {
  const found = examples.find(isIn);
  if (found === undefined) throw new Error(`no file of ${FOLDER} uses ${what}`);
  return `[${found.name.replace(/\.yaml$/, "")}](language/${found.name})`;
}

const one = (schema) => {
  const parts = (schema.anyOf ?? [schema]).filter((part) => part.type !== "null");
  return { ...schema, parts: parts.flatMap((part) => (part.anyOf === undefined ? [part] : one(part).parts)) };
};
function takes(schema) {
  const words = one(schema).parts.map((part) => {
    if (part.enum !== undefined) {
      const values = part.enum.filter((value) => value !== "");
      return values.includes("yes") ? null : values.map((value) => `\`${value}\``).join(", ");
    }
    if (Array.isArray(part.type)) return part.type.includes("string") ? "text" : null;
    if (part.type === "array") return "a list";
    if (part.type === "object") return "a map";
    if (part.type === "boolean") return "true, false";
    if (part.type === "integer") return "a whole number";
    return part.type === "number" ? "a number" : part.type === "string" ? "text" : null;
  });
  const all = [...new Set(words.filter((word) => word !== null))];
  return all.length === 0 ? "anything" : all.join("; ");
}
/** What stands in backquotes is shown as it is; elsewhere `<name>` would be a tag. */
const cell = (text) =>
  text
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ")
    .split("`")
    .map((part, at) => (at % 2 === 0 ? part.replaceAll("<", "&lt;") : part))
    .join("`");
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

/** The rows of a map's keys, those of the maps in it behind their own. `place`: where its keys stand, for their versions. */
function rowsOf(schema, parent, place, prefix = "") {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const at = `${parent}.${key}`;
    const about = field.description ?? one(field).parts.find((part) => part.description)?.description ?? "";
    defaultOf(`${prefix}${key}`, takes(field), about);
    const row = [
      `\`${prefix}${key}\``,
      takes(field),
      defaultIn(about),
      sinceOf(`${place}.${prefix}${key}`),
      about,
      exampleOf(`${prefix}${key} (${at})`, ({ keys }) => keys.has(at)),
    ];
    const inner = one(field).parts.flatMap((part) => (part.type === "array" ? one(part.items ?? {}).parts : [part]));
    const below = inner.find((part) => part.properties !== undefined);
    return [row, ...(below === undefined ? [] : rowsOf(below, key, place, `${prefix}${key}.`))];
  });
}
const HEADS = ["key", "takes", "default", "since", "what it does", "used in"];

/** The text of docs/language.md. Throws where a key or a name has no example. */
export async function languagePage() {
  const { workflowJsonSchema } = await load("machines", "workflow", "schema", "json-schema.ts");
  const { commonFields } = await load("machines", "workflow", "schema", "common.ts");
  const { STEPS, MARKS } = await load("machines", "workflow", "schema", "steps.ts");
  const { mcpServer } = await load("machines", "workflow", "schema", "mcp-server.ts");
  const { STATE_PROPERTIES, MEMBERS, NAMESPACES } = await load("machines", "workflow", "check", "names.ts");
  const { FUNCTION_NAMES } = await load("machines", "workflow", "template", "function-names.ts");
  const { z } = await load("node_modules", "zod", "index.js");
  const json = (schema) => z.toJSONSchema(schema, { io: "input" });
  const whole = workflowJsonSchema({ providers: [], agentOptions: {}, operations: {} });
  const { states: _, mcp_servers: servers, ...head } = whole.properties;
  const kinds = Object.entries(STEPS).map(([word, schema]) => {
    const { properties } = json(schema);
    const own = Object.entries(properties).filter(([key]) => !(key in commonFields) && key !== "type");
    const marks = MARKS[word].map((mark) => `\`${mark}\``).join(", ");
    const about = `${schema.description ?? ""} Without \`type\` it is known by ${marks}.`;
    return [`### \`${word}\``, about, table(HEADS, rowsOf({ properties: Object.fromEntries(own) }, "state", word))];
  });
  const mention =
    (name) =>
    ({ text }) =>
      new RegExp(`\\.?\\b${name.replaceAll(".", "\\.")}\\b`).test(text);
  const names = (entries) =>
    table(
      ["name", "since", "what it is", "used in"],
      entries.map(([name, about]) => {
        if (about === undefined) throw new Error(`.ci/docs/language-names.mjs says nothing of ${name}`);
        const plain = name.replace(/^states\.<state>\./, "");
        return [`\`${name}\``, sinceOf(name), about, exampleOf(name, mention(plain))];
      }),
    );
  const members = Object.entries(MEMBERS).flatMap(([space, all]) => all.map((name) => `${space}.${name}`));
  const open = NAMESPACES.filter((name) => !(name in MEMBERS));
  const page = `${[
    HEAD,
    "## The document",
    table(HEADS, [
      ...rowsOf({ properties: head }, "workflow", "workflow"),
      [
        "`mcp_servers`",
        "a map",
        "none",
        sinceOf("workflow.mcp_servers"),
        servers.description,
        exampleOf("mcp_servers", ({ keys }) => keys.has("workflow.mcp_servers")),
      ],
      ...rowsOf(json(mcpServer), "mcp_servers", "workflow", "mcp_servers.<name>."),
      ["`states`", "a map", "none", sinceOf("workflow.states"), "The states by name.", exampleOf("states", () => true)],
      [
        "`states.initial`",
        "text",
        "none",
        sinceOf("workflow.states.initial"),
        "The state the run starts with.",
        exampleOf("initial", ({ keys }) => keys.has("states.initial")),
      ],
    ]),
    "## Every state",
    `But for \`terminal\`. \`type\` is one of ${Object.keys(STEPS)
      .map((word) => `\`${word}\``)
      .join(", ")} (\`step\` means \`command\`); without it the first kind counts whose own key is there.`,
    table(HEADS, rowsOf(json(z.object(commonFields)), "state", "state")),
    "## Kinds of states",
    ...kinds.flat(),
    "## What templates and conditions see",
    "Of each state that has run; what its kind does not give is empty, 0 or false. In conditions case and underscores do not matter.",
    names(STATE_PROPERTIES.map((name) => [`states.<state>.${name}`, STATE_NAMES[name]])),
    names(
      [
        ...open.filter((name) => name !== "states").map((name) => [`${name}.`, OPEN_NAMES[name]]),
        ...members.map((name) => [name, MEMBER_NAMES[name]]),
      ].map(([name, about]) => [name.replace(/\.$/, ""), about]),
    ),
    "A missing name is an error of a template that says what there is; only `index` gives `<no value>`, which is also what null prints, but for a loop's item, which prints as JSON: `null`. In a condition a comparison with a state that has not run is false, `!=` and `not in` too, and the log warns once; any other missing name is null.",
    "### Functions of templates",
    `${FUNCTION_NAMES.map((name) => `\`${name}\``).join(", ")}.`,
  ].join("\n\n")}\n`;
  const left = [...since.keys()].filter((name) => !dated.has(name));
  if (left.length > 0) throw new Error(`${SINCE} has what is no key and no name: ${left.join(", ")}`);
  return page;
}
