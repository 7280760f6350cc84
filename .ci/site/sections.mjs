// The navigation of the site. A decision stands below the list of them.
const docs = (...names) => names.map((name) => `docs/${name}.md`);
const lessons = [
  "README",
  "01-a-first-run",
  "02-steps",
  "03-inputs",
  "04-loops",
  "05-an-agent",
  "06-questions",
  "07-when-it-fails",
  "08-in-your-editor",
];
const recipes = [
  "README",
  "fix-until-green",
  "three-reviewers",
  "release-gate",
  "interview",
  "changed-files",
  "within-budget",
  "nightly",
  "github-actions",
  "mcp-tool",
];

/** What is made of the commands (`commands.mjs`), and by typedoc of the libraries (`reference.mjs`). */
export const MADE = docs("api/commands", "api/troupe", "api/client");

export const SECTIONS = [
  { title: "Tutorial", pages: ["README.md", ...docs(...lessons.map((name) => `tutorial/${name}`))] },
  { title: "Cookbook", pages: docs(...recipes.map((name) => `cookbook/${name}`)) },
  {
    title: "Reference",
    pages: [
      ...docs(
        "commands",
        "guide",
        "language",
        "agents",
        "operations",
        "configuration",
        "editors",
        "chat",
        "schedules",
        "worktrees",
        "packs",
      ),
      ...docs(
        "trouble",
        "errors",
        "serve",
        "observe",
        "cluster",
        "http",
        "mcp",
        "client",
        "acp",
        "page",
        "ui",
        "inspection",
        "github-actions",
        "upkeep",
        "support",
      ),
      ...MADE,
      "CHANGELOG.md",
    ],
  },
  {
    title: "Understand",
    pages: docs(
      "compare",
      "from-awf",
      "architecture",
      "runtime-semantics",
      "threats",
      "hostile-input",
      "habits",
      "conflicts",
      "harness",
      "conformance",
      "machines/README",
      "benchmarks",
    ),
  },
  {
    title: "Contribute",
    pages: ["CONTRIBUTING.md", ...docs("decisions/README", "mutation"), "SECURITY.md", "CODE_OF_CONDUCT.md"],
  },
];
