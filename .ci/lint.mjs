// `npm run lint`: Biome over the tree, then the house's own rules, which no linter has:
//   L1. No source and no style sheet of the four folders, no program of .ci/ and no file of test/ is longer than 250 lines,
//       but those that LONGER names. That list can only shrink.
//   L2. Durable machines are driven by actors/host/interpret.ts alone: `createActor` (and its aliases) may be used
//       elsewhere only in actors/ and transports/, in a file whose machines are all live-only ones. Tests are free.
//   L3. machines/ and projections/ read no clock, no randomness and no process: these are injected.
//   L4. No exported type has a name that two other files give to a type of theirs: one word, one meaning.
//   L5. No two files of one room have one name, unless SAME_PARTS says why.
//   L6. Outside of actors/host/ no file holds a statement of SQL, or calls `.query(` or `.prepare(`: what is kept is read
//       through the port (actors/host/reads.ts).
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const FOLDERS = ["machines", "actors", "projections", "transports"];
const MAX_LINES = 250;
/** So many lines and no fewer: a file that has become shorter lowers its number, or leaves the list. */
const LONGER = new Map([
  ["test/actors/agents/acp/programs/agent.mjs", 322], // tests copy this program, which has to be one file for that
]);
const INTERPRETER = "actors/host/interpret.ts";
const STARTERS = new Set(["createActor", "interpret", "Actor"]);
const LIVE_MACHINE = /^machines\/(connection|conversation|live-session|link)([-./]|$)/;
const ANY_MACHINE = /^machines\/(.*-machine\.ts$|(connection|live-session|link)([-./]|$))/;
const IMPURE = new Set(["process", "console", "crypto", "performance", "fetch"]);
const TIMERS = new Set(["setTimeout", "setInterval", "setImmediate", "queueMicrotask"]);

/** Folders whose subfolders have the same parts on purpose. */
const SAME_PARTS = [
  /^actors\/host\/(sqlite|memory)\//, // every storage has the same tables
  /^actors\/agents\//, // every provider has arguments, options, a parser, tools and an outcome
  /^machines\/workflow\//, // every pass over a document (schema, lower, check, the two languages) has the document's parts
];

/** Statements begin so; English does not. */
const STATEMENT =
  /^\s*(select\s.+\sfrom\s+\w|insert\s+(or\s+\w+\s+)?into\s|update\s+\w+\s+set\s|delete\s+from\s|create\s+(table|index|trigger)\s|pragma\s+\w+)/is;
const STATEMENT_CALLS = new Set(["query", "prepare"]);

const problems = [];
/** Exported type names, and the files that declare one of that name. */
const types = new Map();

/** The imports of a file, as {from, typeOnly, names: [imported name]}; `from` is relative to the project where it is a path. */
function importsOf(file, source) {
  const found = [];
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    if (!statement.moduleSpecifier) continue;
    const text = statement.moduleSpecifier.text;
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement;
    const bindings = ts.isImportDeclaration(statement) ? clause?.namedBindings : clause.exportClause;
    const elements = bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings)) ? bindings.elements : [];
    found.push({
      from: text.startsWith(".") ? join(dirname(file), text) : text,
      typeOnly: clause?.isTypeOnly === true || (elements.length > 0 && elements.every((element) => element.isTypeOnly)),
      names: elements
        .filter((element) => !element.isTypeOnly)
        .map((element) => (element.propertyName ?? element.name).text),
      namespace: bindings && ts.isNamespaceImport(bindings) ? bindings.name.text : undefined,
    });
  }
  return found;
}

/** Every node of a file, with a way to report one. */
function walk(file, source, visit) {
  const report = (node, message) => {
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
    problems.push(`${file}:${line + 1}:${character + 1} ${message}`);
  };
  const each = (node) => {
    visit(node, report);
    ts.forEachChild(node, each);
  };
  each(source);
}

function checkStarters(file, source, imports) {
  if (file === INTERPRETER) return;
  const named = imports.some(
    (one) => one.from === "xstate" && !one.typeOnly && one.names.some((name) => STARTERS.has(name)),
  );
  const namespaces = new Set(imports.filter((one) => one.from === "xstate").map((one) => one.namespace));
  const used = imports.filter((one) => !one.typeOnly && ANY_MACHINE.test(one.from));
  const liveOnly =
    /^(actors|transports)\//.test(file) && used.length > 0 && used.every((one) => LIVE_MACHINE.test(one.from));
  if (liveOnly) return;
  const message = `starts an actor; only ${INTERPRETER} may, or a file of actors/ or transports/ whose machines are all live-only (connection, live session, link, conversation)`;
  let reported = false;
  walk(file, source, (node, report) => {
    if (reported) return;
    const called = ts.isIdentifier(node) && node.text === "createActor";
    const reached =
      ts.isPropertyAccessExpression(node) &&
      ts.isIdentifier(node.expression) &&
      namespaces.has(node.expression.text) &&
      STARTERS.has(node.name.text);
    const imported =
      named &&
      ts.isImportSpecifier(node) &&
      STARTERS.has((node.propertyName ?? node.name).text) &&
      node.parent.parent.parent.moduleSpecifier.text === "xstate";
    if (!called && !reached && !imported) return;
    reported = true;
    report(node, message);
  });
}

function checkPurity(file, source) {
  walk(file, source, (node, report) => {
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const text = `${node.expression.text}.${node.name.text}`;
      if (text === "Date.now" || text === "Math.random") report(node, `${text}: take it from the event or the input`);
      if (IMPURE.has(node.expression.text) && isGlobal(node.expression, source)) report(node, `${text}: inject it`);
    }
    if (ts.isNewExpression(node) && node.expression.getText(source) === "Date" && !node.arguments?.length) {
      report(node, "new Date(): take the time from the event or the input");
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const name = node.expression.text;
      if ((TIMERS.has(name) || IMPURE.has(name)) && isGlobal(node.expression, source))
        report(node, `${name}(): inject it`);
    }
  });
}

/** False when the file itself declares the name anywhere, which is close enough for a lint rule. */
function isGlobal(identifier, source) {
  let declared = false;
  const each = (node) => {
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isBindingElement(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node);
    if (isDeclaration && node.name?.text === identifier.text) declared = true;
    if (!declared) ts.forEachChild(node, each);
  };
  each(source);
  return !declared;
}

/** L6. */
function checkStatements(file, source) {
  walk(file, source, (node, report) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
    if (isText && STATEMENT.test(node.text))
      report(node, "SQL: what is kept is read through the port, actors/host/reads.ts");
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { name } = node.expression;
    if (STATEMENT_CALLS.has(name.text)) report(name, `.${name.text}(): the store is read by actors/host alone`);
  });
}

function noteTypes(file, source) {
  for (const statement of source.statements) {
    const isType =
      ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement);
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isType || !isExported || statement.name === undefined) continue;
    types.set(statement.name.text, [...(types.get(statement.name.text) ?? []), file]);
  }
}

function checkNames() {
  for (const [name, files] of types)
    if (files.length > 2) problems.push(`${files[0]}: the type ${name} is declared in ${files.join(", ")}`);
  const rooms = new Map();
  for (const folder of FOLDERS) {
    for (const path of readdirSync(join(root, folder), { recursive: true })) {
      const file = join(folder, path);
      if (!file.endsWith(".ts") || SAME_PARTS.some((pattern) => pattern.test(file))) continue;
      const room = file.split("/").slice(0, 2).join("/");
      const key = `${room}: ${file.split("/").at(-1)}`;
      rooms.set(key, [...(rooms.get(key) ?? []), file]);
    }
  }
  for (const [key, files] of rooms)
    if (files.length > 1) problems.push(`${key} stands there ${files.length} times: ${files.join(", ")}`);
}

function checkLength(file, text) {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const most = LONGER.get(file) ?? MAX_LINES;
  if (lines > most) problems.push(`${file}:${most + 1}:1 has ${lines} lines; ${most} are allowed`);
  else if (lines < most && LONGER.delete(file))
    problems.push(`${file}:1:1 has ${lines} lines: LONGER says ${most}; lower that, or remove the file from it`);
  else LONGER.delete(file);
}

for (const folder of FOLDERS.filter((name) => existsSync(join(root, name)))) {
  for (const name of readdirSync(join(root, folder), { recursive: true }).sort()) {
    if (!/\.(ts|mts|tsx|js|mjs|css)$/.test(name)) continue;
    const file = join(folder, name);
    const text = readFileSync(join(root, file), "utf8");
    checkLength(file, text);
    if (name.endsWith(".css")) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    checkStarters(file, source, importsOf(file, source));
    noteTypes(file, source);
    if (!file.startsWith("actors/host/")) checkStatements(file, source);
    if (folder === "machines" || folder === "projections") checkPurity(file, source);
  }
}
for (const folder of [".ci", "test"])
  for (const name of readdirSync(join(root, folder), { recursive: true }))
    if (/\.([mc]?[jt]s|tsx)$/.test(name) && !/(^|\/)(fixtures|golden)\//.test(name))
      checkLength(join(folder, name), readFileSync(join(root, folder, name), "utf8"));
for (const file of LONGER.keys()) problems.push(`${file}:1:1 is not there: remove it from LONGER`);

checkNames();

const biome = spawnSync("biome", ["lint", "--error-on-warnings"], { cwd: root, stdio: "inherit" });
const order = spawnSync("biome", ["check", "--formatter-enabled=false", "--linter-enabled=false"], {
  cwd: root,
  stdio: "inherit",
});
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.stderr.write(`lint: ${problems.length} against the house's own rules\n`);
process.exit(problems.length > 0 || biome.status !== 0 || order.status !== 0 ? 1 : 0);
