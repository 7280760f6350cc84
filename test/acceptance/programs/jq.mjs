/** A stand-in for jq: the few filters that the historic workflows use. An unknown one ends it with 3, as a syntax error does. */
import { readFileSync } from "node:fs";

const flags = new Set();
const named = {};
const rest = [];
const argv = process.argv.slice(2);
while (argv.length > 0) {
  const word = argv.shift();
  if (word === "--arg") named[argv.shift()] = argv.shift();
  else if (/^-[a-zA-Z]+$/.test(word)) for (const letter of word.slice(1)) flags.add(letter);
  else rest.push(word);
}
const [filter = ".", file] = rest;

/** The values in a text, one after another: as a whole, or one a line. */
function valuesOf(text) {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line)]));
  }
}

function path(value, steps) {
  let found = [value];
  for (const [, name, all, index] of steps.matchAll(/\.([A-Za-z_]\w*)|(\[\])|\[(\d+)\]/g)) {
    found = found.flatMap((each) => (all ? (each ?? []) : [each?.[name ?? Number(index)] ?? null]));
  }
  return found;
}

const PATH = /^(?:\.|(?:\.?[A-Za-z_]\w*|\.?\[\d*\])+)$/;
function stage(value, text) {
  const one = text.trim();
  const select = /^select\((\S+?)\s*==\s*"(.*)"\)$/.exec(one);
  if (select) return path(value, select[1])[0] === select[2] ? [value] : [];
  if (one.endsWith("// empty"))
    return path(value, one.slice(0, -8).trim()).filter((each) => each !== null && each !== false);
  if (one === "length") return [value.length];
  if (one === 'type == "array"') return [Array.isArray(value)];
  if (one.endsWith("== []")) return path(value, one.slice(0, -5).trim()).map((each) => JSON.stringify(each) === "[]");
  const both = /^(\S+) and (\S+)$/.exec(one);
  if (both) return [[both[1], both[2]].every((each) => Boolean(path(value, each)[0]))];
  if (/^\{(?:\s*\w+: \$\w+,?)+\s*\}$/.test(one))
    return [Object.fromEntries([...one.matchAll(/(\w+): \$(\w+)/g)].map(([, key, name]) => [key, named[name]]))];
  if (PATH.test(one)) return path(value, one);
  process.stderr.write(`jq: no such filter: ${one}\n`);
  process.exit(3);
}

try {
  let values = flags.has("n") ? [null] : valuesOf(readFileSync(file ?? 0, "utf8"));
  if (flags.has("s")) values = [values];
  for (const text of filter.split(" | ")) values = values.flatMap((value) => stage(value, text));
  for (const value of values) {
    const shown =
      typeof value === "string" && flags.has("r") ? value : JSON.stringify(value, null, flags.has("c") ? 0 : 2);
    process.stdout.write(`${shown}\n`);
  }
  const last = values.at(-1);
  process.exitCode = flags.has("e") && (last === undefined || last === null || last === false) ? 1 : 0;
} catch (error) {
  process.stderr.write(`jq: ${error.message}\n`);
  process.exitCode = 2;
}
