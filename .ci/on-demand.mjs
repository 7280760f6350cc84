// What a chunk of the program needs of others, and of Node, is taken when it is first used: `const a = require("…")`
// becomes nothing, and each place that reads `a` asks for it; so does `a = r.wrap(a, 1)` after it, in which a library's
// default import is made. A command loads what it uses and no more, wherever its module stands.
import { parseAst } from "rolldown/parseAst";

/** The children of a node of the syntax tree. */
function* childrenOf(node) {
  for (const [field, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === "string") yield { child, field };
  }
}

/** A name that stands where it is only a key: of a property that is read, or of one that is defined. */
const isKey = (parent, field) =>
  (field === "property" && parent.type === "MemberExpression" && !parent.computed) ||
  (field === "key" && !parent.computed && !parent.shorthand) ||
  field === "label";

/** Every place where one of these names is read or bound, by name: null where a place is not a mere read. */
function placesOf(root, names) {
  const places = new Map([...names].map((name) => [name, []]));
  const binds = (parent, field) =>
    (parent.type === "VariableDeclarator" && field === "id") ||
    (parent.type === "AssignmentExpression" && field === "left") ||
    field === "params" ||
    field === "param" ||
    (field === "id" && /^(Function|Class)/.test(parent.type)) ||
    /Pattern$|^RestElement$|^UpdateExpression$/.test(parent.type) ||
    (parent.type === "Property" && parent.shorthand);
  const walk = (node) => {
    for (const { child, field } of childrenOf(node)) {
      if (child.type !== "Identifier" || !places.has(child.name) || isKey(node, field)) walk(child);
      else if (binds(node, field)) places.set(child.name, null);
      else places.get(child.name)?.push(child);
    }
  };
  walk(root);
  return places;
}

const requiredBy = ({ init }) =>
  init?.type === "CallExpression" && init.callee.name === "require" && typeof init.arguments[0]?.value === "string"
    ? init.arguments[0].value
    : null;

/** `a = r.wrap(a, …)`, where `a` and `r` are required: what `a` is after it, as code; null for any other statement. */
function wrapping(statement, required, code) {
  const { left, right, operator } = statement.expression ?? {};
  if (statement.expression?.type !== "AssignmentExpression" || operator !== "=" || right.type !== "CallExpression")
    return null;
  const { callee } = right;
  const [given, ...others] = right.arguments;
  const isOwn = left.type === "Identifier" && given?.type === "Identifier" && given.name === left.name;
  const by = callee.type === "MemberExpression" && !callee.computed ? callee.object.name : undefined;
  if (!isOwn || !required.has(left.name) || by === left.name || !required.has(by)) return null;
  if (!others.every(({ type }) => type === "Literal")) return null;
  const [id, wrapper] = [left.name, by].map((name) => JSON.stringify(required.get(name)));
  const wrap = `(${by} ??= require(${wrapper}))${code.slice(callee.object.end, callee.end)}`;
  const more = others.map(({ start, end }) => `, ${code.slice(start, end)}`).join("");
  return { name: left.name, text: `${wrap}(require(${id})${more})` };
}

/** The code of a CommonJS chunk that takes what it needs on demand. */
export function onDemand(code) {
  const { body: all } = parseAst(code);
  const statements = all.filter(({ type }) => type === "VariableDeclaration");
  const required = new Map();
  for (const { declarations } of statements)
    for (const one of declarations) {
      const id = requiredBy(one);
      if (id !== null && one.id.type === "Identifier") required.set(one.id.name, id);
    }
  const changes = [];
  const wrapped = new Map();
  for (const statement of all) {
    const found = wrapping(statement, required, code);
    if (found !== null && !wrapped.has(found.name)) wrapped.set(found.name, { ...found, statement });
  }
  const apart = () => all.filter((one) => !wrapped.values().some(({ statement }) => statement === one));
  const others = apart().filter((one) => !statements.includes(one));
  for (const [name, reads] of placesOf({ type: "Program", body: others }, wrapped.keys()))
    if (reads === null) wrapped.delete(name);
  const body = apart();
  const outside = {
    type: "Program",
    body: body.map((one) => (statements.includes(one) ? without(one, required) : one)),
  };
  const places = placesOf(outside, required.keys());
  for (const [name, reads] of places) {
    if (reads === null) {
      required.delete(name);
      continue;
    }
    const { text, statement } = wrapped.get(name) ?? { text: `require(${JSON.stringify(required.get(name))})` };
    if (statement !== undefined) changes.push({ start: statement.start, end: statement.end, text: "" });
    const taken = `(${name} ??= ${text})`;
    for (const { start, end } of reads) changes.push({ start, end, text: taken });
  }
  for (const statement of statements) {
    const lazy = statement.declarations.filter(({ id }) => required.has(id.name));
    if (lazy.length === 0) continue;
    const rest = statement.declarations.filter((one) => !lazy.includes(one));
    const kept = rest.map(({ start, end }) => code.slice(start, end));
    const text = `let ${lazy.map(({ id }) => id.name).join(", ")};`;
    changes.push({
      start: statement.start,
      end: statement.end,
      text: kept.length === 0 ? text : `${text}${statement.kind} ${kept.join(", ")};`,
    });
  }
  // What a chunk does when it runs, no other waits for: it is there for its names.
  for (const { type, expression, start, end } of body)
    if (type === "ExpressionStatement" && requiredBy({ init: expression }) !== null)
      changes.push({ start, end, text: "" });
  const fixed = fixedNames(body);
  for (const statement of body) {
    const { name, value } = exportedBy(statement) ?? {};
    if (name === undefined || !fixed.has(value)) continue;
    const { start, end } = statement;
    changes.push({ start, end, text: `exports[${JSON.stringify(name)}] = ${value};` });
  }
  let changed = code;
  for (const { start, end, text } of changes.sort((a, b) => b.start - a.start))
    changed = changed.slice(0, start) + text + changed.slice(end);
  return changed;
}

/** Names of the module that always mean the same: what is exported of them needs no function to read it. */
function fixedNames(body) {
  const names = body.flatMap((one) => {
    if (one.type === "VariableDeclaration") return one.declarations.map(({ id }) => id.name);
    return /^(Function|Class)Declaration$/.test(one.type) ? [one.id.name] : [];
  });
  const assigned = new Set();
  const walk = (node, isTarget = false) => {
    if (node.type === "Identifier" && isTarget) assigned.add(node.name);
    const assigns = /^(Assignment|Update)Expression$|^For(In|Of)Statement$/.test(node.type);
    // Of a target that is more than a name every name counts, those that are only read too.
    for (const { child, field } of childrenOf(node))
      walk(child, isTarget || (assigns && (field === "left" || field === "argument")));
  };
  walk({ type: "Program", body });
  return new Set(names.filter((name) => name !== undefined && !assigned.has(name)));
}

/** What `Object.defineProperty(exports, "name", { enumerable: true, get: function() { return value; } })` exports. */
function exportedBy({ type, expression }) {
  if (type !== "ExpressionStatement" || expression.type !== "CallExpression") return null;
  const [on, name, how] = expression.arguments;
  if (expression.callee.property?.name !== "defineProperty" || on?.name !== "exports") return null;
  const value = how?.properties?.find(({ key }) => key.name === "get")?.value?.body?.body?.[0]?.argument;
  return value?.type === "Identifier" ? { name: name.value, value: value.name } : null;
}

/** A declaration without those that are required. */
const without = (statement, required) => ({
  ...statement,
  declarations: statement.declarations.filter((one) => !(requiredBy(one) !== null && required.has(one.id.name))),
});
