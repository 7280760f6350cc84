// docs/errors.md: every code with its cause and its remedy, from the tables in actors/errors.
import { ADVICE } from "../../actors/errors/advice/advice.ts";
import { CODES } from "../../actors/errors/codes.ts";

const KINDS = {
  USER: "What you, or who asks for you, can mend",
  WORKFLOW: "What a workflow's author can mend",
  EXECUTION: "What went wrong while a run was at work",
  SYSTEM: "What this machine, or the other side, is at fault for",
};

/** The page, whole. */
export function errorsPage() {
  const parts = Object.entries(KINDS).map(([kind, title]) => {
    const rows = Object.entries(CODES)
      .filter(([code]) => code.startsWith(`${kind}.`))
      .sort(([a], [b]) => a.localeCompare(b, "en"))
      .map(([code, { exit, http }]) => `| \`${code}\` | ${ADVICE[code].join(" | ")} | ${exit} | ${http} |`);
    return [`## ${title}`, "| code | cause | remedy | exit | HTTP |", "|---|---|---|---|---|", ...rows].join("\n");
  });
  const head = `# Errors
Every error has a code that stays the same from version to version. \`troupe error CODE\` tells what stands here; with \`--format json\`, for programs. This page is written from the code (\`node .ci/docs.mjs\`).

A message says more than its code: the place, what was expected, what to do. The first word of a code says whose it is to mend, and gives the exit code of a command: 1, 2, 3 or 4; 5 is a consent that nobody could give.`;
  return `${[head, ...parts].join("\n\n")}\n`;
}
