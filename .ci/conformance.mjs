// `node .ci/conformance.mjs`: writes docs/conformance.md from the list of scenarios and what their tests have recorded in
// .vitest/conformance. With `--check` it writes nothing and fails when the page lists other rows or one was not recorded; excerpts are samples.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEMANDED, NOT_YET, SCENARIOS } from "../test/conformance/demand.ts";
import { HARNESS } from "../test/conformance/harness.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const RECORDED = join(root, ".vitest", "conformance");
const TARGET = "docs/conformance.md";
const COLUMNS = [
  ["ski", "ws"],
  ["ski", "stdio"],
  ["acp", "ws"],
  ["acp", "stdio"],
];

const rows = DEMANDED.filter(({ id }) => !NOT_YET.includes(id)).map((row) => {
  const file = join(RECORDED, `${row.id}.${row.profile}.${row.transport}.json`);
  return { ...row, lines: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).lines : null };
});
const rowOf = (id, [profile, transport]) =>
  rows.find((row) => row.id === id && row.profile === profile && row.transport === transport);

/** The excerpts of a scenario, those that are alike once. */
function excerpts(id) {
  const groups = new Map();
  for (const column of COLUMNS) {
    const row = rowOf(id, column);
    if (row === undefined) continue;
    const text = row.lines.join("\n");
    groups.set(text, [...(groups.get(text) ?? []), `\`${column[0]}\` on ${column[1]}`]);
  }
  return [...groups].map(([text, where]) => `${where.join(", ")}:\n\n\`\`\`\n${text}\n\`\`\`\n`).join("\n");
}

/** What the ACP client has to do: how far each demand is met, and the tests that fail where it is not. */
function harness() {
  const demands = new Map(
    [...readFileSync(join(root, "docs/harness.md"), "utf8").matchAll(/^\| (H\d+) \| (.*) \|$/gm)].map(
      ([, id, text]) => [id, text],
    ),
  );
  const standings = Object.entries(HARNESS).map(([id, { tests, lacks = "" }]) => {
    const is = lacks === "" ? "whole" : tests.length === 0 ? "absent" : "part";
    const shown = tests.map(
      ([file, title]) => `\`test/${file}\`${title === "" ? "" : `: ${title.replaceAll("|", "\\|")} …`}`,
    );
    return { is, row: `| ${id} | ${is} | ${demands.get(id)} | ${shown.join("<br>")} | ${lacks} |` };
  });
  const count = (word) => standings.filter(({ is }) => is === word).length;
  return `## The ACP client
Each [demand on the ACP client](harness.md): whether it is met as a whole, in part or not at all, the tests that fail where it is not, by their file and the beginning of their title, and what is lacking. ${count("whole")} are whole, ${count("part")} in part, ${count("absent")} absent.

| | is | demand | tests | lacking |
|---|---|---|---|---|
${standings.map(({ row }) => row).join("\n")}
`;
}

function page() {
  const shown = SCENARIOS.filter(([id]) => !NOT_YET.includes(id));
  const table = shown.map(
    ([id, , title]) =>
      `| [${id}](#${id.toLowerCase()}) | ${title} | ${COLUMNS.map((column) => (rowOf(id, column) ? "✓" : "")).join(" | ")} |`,
  );
  const sections = shown.map(([id, , title]) => `## ${id}\n${title}.\n\n${excerpts(id)}`);
  return `<!-- Written by \`node .ci/conformance.mjs\` from what the tests in test/conformance recorded. Do not edit. -->
# Conformance
The scenarios of the WebSocket specification, numbered from 1 on, and where each is tested: under which [profile](acp.md#profiles), over which transport. Every ✓ is a test against a real process. Below the table stands what went over the wire: \`→\` from the client, \`←\` from the agent; ids, paths, ports and times have names, \`…\` is left out. These messages are samples of one run: the tests assert what matters of them, and the check of this page compares the table alone. S33 to S36, S40 and S41 are what Troupe does as a client of an agent: no profile has a part in them, so both of its columns stand for the same.

| | scenario | ski ws | ski stdio | acp ws | acp stdio |
|---|---|---|---|---|---|
${table.join("\n")}

${harness()}
${sections.join("\n")}`;
}

const missing = rows.filter(({ lines }) => lines === null);
for (const { id, profile, transport } of missing)
  process.stderr.write(
    `${id} under ${profile} on ${transport} was not recorded: run \`vitest run test/conformance\`\n`,
  );
if (missing.length > 0) process.exit(1);
const text = page();
const target = join(root, TARGET);
if (!process.argv.includes("--check")) {
  writeFileSync(target, text);
  process.stdout.write(`${TARGET}: ${rows.length} rows\n`);
} else {
  const there = existsSync(target) ? readFileSync(target, "utf8") : "";
  const again = `run \`vitest run test/conformance\` and \`node .ci/conformance.mjs\``;
  if (withoutExcerpts(there) !== withoutExcerpts(text)) {
    process.stderr.write(`${TARGET} does not list what is tested: ${again}\n`);
    process.exit(1);
  }
  // Messages that may cross on the wire are no fault: what matters of their order is asserted by the tests.
  if (there !== text) process.stderr.write(`note: ${TARGET} shows other messages than were recorded now: ${again}\n`);
}

function withoutExcerpts(page) {
  return page.replace(/(`ski`|`acp`)[^\n]*:\n\n```\n[\s\S]*?\n```\n+/g, "");
}
