/**
 * Workflow files that are made to be as bad as possible: each fills a size with what costs its reader most.
 *
 * I1. Every text is at most `bytes` long and ASCII, so that its length is its size.
 */

const HEAD = "name: w\nstates:\n  initial: a\n  a: {type: command, command: 'true', on_success: done}\n";
const END = "  done: {type: terminal, status: success}\n";
const TAIL = `states:\n  initial: a\n  a: {type: command, command: 'true', on_success: done}\n${END}`;

/** As many lines as fit between what stands before and after them. */
function filled(bytes: number, before: string, line: (index: number) => string, after = ""): string {
  const lines = [before];
  let length = before.length + after.length;
  for (let index = 0; ; index++) {
    const next = line(index);
    length += next.length;
    if (length > bytes) break;
    lines.push(next);
  }
  return lines.join("") + after;
}

const repeated = (bytes: number, before: string, part: string, after = ""): string =>
  filled(bytes, before, () => part, after);

const LONG = "n".repeat(50);

export const HOSTILE_FILES: { readonly [name: string]: (bytes: number) => string } = {
  "a long description": (bytes) => repeated(bytes, 'name: w\ndescription: "', "x", `"\n${TAIL}`),
  "a long comment": (bytes) => repeated(bytes, "name: w\n#", "x", `\n${TAIL}`),
  "empty lines": (bytes) => repeated(bytes, "name: w\n", "\n", TAIL),
  "unknown keys": (bytes) => filled(bytes, "name: w\n", (k) => `z${k}: 1\n`, TAIL),
  "unknown keys that look like known ones": (bytes) =>
    filled(bytes, "name: w\n", (k) => `descriptio${k.toString(36)}: 1\n`, TAIL),
  "unknown keys with anchors": (bytes) => filled(bytes, "name: w\n", (k) => `z${k}: &z${k} 1\n`, TAIL),
  "unknown keys below others": (bytes) =>
    filled(bytes, `${HEAD}${END}hooks:\n`, (k) => `  workflow_start${k}: [{logg: x}]\n`),
  "one key many times": (bytes) => repeated(bytes, "name: w\n", "z: 1\n", TAIL),
  "keys in one line": (bytes) => filled(bytes, "name: w\ntags: {", (k) => `z${k}: 1,`, `}\n${TAIL}`),
  "keys without values": (bytes) => filled(bytes, "name: w\nz: {", (k) => `z${k},`, `}\n${TAIL}`),
  "items in one line": (bytes) => repeated(bytes, "name: w\ntags: [", "a,", `]\n${TAIL}`),
  "items of the wrong type": (bytes) => repeated(bytes, "name: w\ntags: [", "{},", `]\n${TAIL}`),
  "empty lists": (bytes) => repeated(bytes, "name: w\ntags: [", "[],", `]\n${TAIL}`),
  "open brackets": (bytes) => repeated(bytes, "name: w\ntags: ", "[", ""),
  colons: (bytes) => repeated(bytes, "name: w\nz: ", "a: ", `\n${TAIL}`),
  "question marks": (bytes) => repeated(bytes, "name: w\n", "? ", `\n${TAIL}`),
  dashes: (bytes) => repeated(bytes, "name: w\ntags:\n  ", "- ", `\n${TAIL}`),
  "many documents": (bytes) => repeated(bytes, "name: w\n", "---\n", TAIL),
  tags: (bytes) => filled(bytes, "name: w\nz:\n", (k) => `  - !t${k} a\n`, TAIL),
  directives: (bytes) => repeated(bytes, "", "%TAG ! x\n", `---\n${TAIL}`),
  quotes: (bytes) => repeated(bytes, "name: w\nz: ", "''", `\n${TAIL}`),
  escapes: (bytes) => repeated(bytes, 'name: w\nz: "', "\\u0041", `"\n${TAIL}`),
  "folded lines": (bytes) => repeated(bytes, "name: w\nz: >\n", "  a\n\n", TAIL),
  "a plain text of many lines": (bytes) => repeated(bytes, "name: w\nz: a\n", "  a\n", TAIL),
  aliases: (bytes) => {
    const uses = `\n${Array.from({ length: 50 }, (_, k) => `z${k}: *a\n`).join("")}`;
    return repeated(bytes, "name: w\nz: &a [", "a,", `]${uses}${TAIL}`);
  },
  states: (bytes) => filled(bytes, HEAD, (k) => `  s${k}: {type: terminal}\n`, END),
  "states in a chain": (bytes) =>
    filled(
      bytes,
      "name: w\nstates:\n  initial: s0\n",
      (k) => `  s${k}: {type: command, command: a, on_success: s${k + 1}}\n`,
      END,
    ),
  "states that lead to states that are not there": (bytes) =>
    filled(bytes, HEAD, (k) => `  ${LONG}${k}: {command: a, on_success: ${LONG}x${k}}\n`, END),
  "states that lead to all states": (bytes) => {
    const names = Array.from({ length: Math.floor(Math.sqrt(bytes / 40)) }, (_, k) => `s${k}`);
    const all = names.map((name) => `{goto: ${name}}`).join(",");
    return filled(
      bytes,
      HEAD,
      (k) => (k < names.length ? `  s${k}: {command: a, transitions: [${all}]}\n` : ` ${LONG}`.repeat(1000)),
      END,
    );
  },
  "states that read the result of another": (bytes) =>
    filled(
      bytes,
      "name: w\nstates:\n  initial: s0\n",
      (k) => `  s${k}: {command: "{{.states.s${Math.floor(k / 2)}.Output}}", on_success: s${k + 1}}\n`,
      END,
    ),
  "states that read results of later ones": (bytes) =>
    filled(
      bytes,
      "name: w\nstates:\n  initial: s0\n",
      (k) => `  s${k}: {command: "{{.states.s${k + 1}.Output}}", on_success: s${k + 1}}\n`,
      END,
    ),
  "loops in loops": (bytes) =>
    filled(bytes, HEAD, (k) => `  s${k}: {type: while, while: 'true', body: [s${k + 1}], on_complete: done}\n`, END),
  "a loop of many states": (bytes) => {
    const half = Math.floor(bytes / 2);
    const body = filled(half, "  l: {type: while, while: 'true', on_complete: done, body: [", (k) => `s${k},`, "]}\n");
    return filled(
      bytes,
      HEAD.replace("on_success: done", "on_success: l") + body,
      (k) => `  s${k}: {command: a, on_success: s${k + 1}}\n`,
      END,
    );
  },
  "one branch many times": (bytes) => repeated(bytes, `${HEAD}  p: {type: parallel, parallel: [`, "a,", `]}\n${END}`),
  branches: (bytes) => filled(bytes, `${HEAD}  p: {type: parallel, parallel: [`, (k) => `b${k},`, `]}\n${END}`),
  "unknown fields of many states": (bytes) =>
    filled(bytes, HEAD, (k) => `  s${k}: {command: a, on_succes: done, comand: b}\n`, END),
  "transitions of the wrong type": (bytes) =>
    repeated(bytes, `${HEAD}  s: {command: a, transitions: [`, "1,", `]}\n${END}`),
  inputs: (bytes) => filled(bytes, "name: w\ninputs:\n", (k) => `  - {name: i${k}, type: string}\n`, TAIL),
  "inputs with patterns": (bytes) =>
    filled(bytes, "name: w\ninputs:\n", (k) => `  - {name: i${k}, validation: {pattern: '(a{500}){2}'}}\n`, TAIL),
  "a long pattern": (bytes) =>
    repeated(bytes, "name: w\ninputs:\n  - {name: i, validation: {pattern: '", "(a|b)*", `'}}\n${TAIL}`),
  outputs: (bytes) => filled(bytes, `${HEAD}${END}outputs:\n`, (k) => `  - {name: o${k}, from: states.a.Output}\n`),
  "actions that are wrong": (bytes) => repeated(bytes, `${HEAD}  s: {command: "`, "{{ % }}", `"}\n${END}`),
  "actions that are not closed": (bytes) => repeated(bytes, `${HEAD}  s: {command: "`, "{{ ", `"}\n${END}`),
  "names that are not known": (bytes) =>
    filled(bytes, `${HEAD}  s: {command: "`, (k) => `{{.inputs.${LONG}${k}}}`, `"}\n${END}`),
  "ranges in ranges": (bytes) => repeated(bytes, `${HEAD}  s: {command: "`, "{{range .inputs}}", `"}\n${END}`),
  "a long condition": (bytes) =>
    repeated(bytes, `${HEAD}  s: {command: a, transitions: [{goto: a, when: '1`, " + 1", `'}]}\n${END}`),
  "a deep condition": (bytes) =>
    repeated(bytes, `${HEAD}  s: {command: a, transitions: [{goto: a, when: '`, "(", `'}]}\n${END}`),
  "a condition of words": (bytes) =>
    repeated(bytes, `${HEAD}  s: {command: a, transitions: [{goto: a, when: '`, "foo ", `'}]}\n${END}`),
  "servers and agents": (bytes) =>
    filled(
      bytes,
      filled(Math.floor(bytes / 2), "name: w\nmcp_servers:\n", (k) => `  m${k}: {command: a}\n`) +
        HEAD.slice("name: w\n".length),
      (k) =>
        `  s${k}: {type: agent, provider: a, prompt: a, mcp_proxy: {enable: true, plugin_tools: [{plugin: q${k}}]}}\n`,
      END,
    ),
  "a key of one letter without end": (bytes) => repeated(bytes, `name: w\n? `, "k", `\n: 1\n${TAIL}`),
  "carriage returns": (bytes) => repeated(bytes, "name: w\nz: |\n  a", "\r", `\n${TAIL}`),
  "white space": (bytes) => repeated(bytes, `${HEAD}  s: {command: a, on_succes: "`, " ", `"}\n${END}`),
  tabs: (bytes) => repeated(bytes, "name: w\n", "\t", `\n${TAIL}`),
};
