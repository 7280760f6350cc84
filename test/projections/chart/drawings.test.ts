/** Drawings of a chart: for the terminal, as Mermaid, as DOT, as a machine. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMachine } from "xstate";
import { chartOf, type Grouped, groupsOf } from "../../../projections/chart/chart.ts";
import { dot } from "../../../projections/chart/dot.ts";
import { drawing } from "../../../projections/chart/drawing.ts";
import { mermaid } from "../../../projections/chart/mermaid.ts";
import { chartPage } from "../../../projections/chart/page.ts";
import { stately } from "../../../projections/chart/stately.ts";
import { documentOf, FIXTURES, parse } from "../../machines/workflow/fixtures.ts";
import { walkedStates } from "../../support/config-walk.ts";
import { workflows } from "./random-workflow.ts";
import { TOUR } from "./tour.ts";

const OPTIONS = { direction: "TB", highlight: "talk" } as const;

describe("drawings", () => {
  it("show what a state is for, who does it, and what became of it in a run", () => {
    const chart = chartOf(
      documentOf(`
name: marked
states:
  initial: talk
  talk: {type: agent, provider: claude, description: "Ask & <listen>", prompt: hi, on_success: done}
  done: {type: terminal}
`),
    );
    const marks = new Map([["talk", "failed"]] as const);
    const drawnWith = { direction: "TB", highlight: null, marks } as const;
    expect(drawing(chart, { colours: false, highlight: null, marks })).toContain(
      "● talk agent claude: Ask & <listen> failed",
    );
    expect(mermaid(chart, drawnWith)).toContain('  n0("talk<br>claude: Ask #38; #60;listen#62;")');
    expect(mermaid(chart, drawnWith)).toContain("  style n0 stroke-width:2px,stroke:#c0392b");
    expect(dot(chart, drawnWith)).toContain(
      '[label="talk\\nclaude: Ask & <listen>" shape=ellipse penwidth=2 color="#c0392b"]',
    );
    const page = chartPage(chart, marks);
    expect(page).toContain("<b>talk</b> <small>agent · failed</small>");
    expect(page).toContain("claude: Ask &#38; &#60;listen&#62;");
    expect(page).not.toMatch(/<script|src=|href=|<listen>/);
    expect(
      [...chartPage(chart, marks, "talk").matchAll(/class="s here"[^>]*><b>(\w+)/g)].map(([, name]) => name),
    ).toEqual(["talk"]);
  });

  it("hold each state once, in the group that it is part of", () => {
    const names = (groups: readonly Grouped[]): string[] =>
      groups.flatMap(({ node, inner }) => [node.name, ...names(inner)]);
    const groups = groupsOf(chartOf(TOUR));
    expect(names(groups).sort()).toEqual(Object.keys(TOUR.states).sort());
    expect(groups.find(({ node }) => node.name === "fan")?.inner.map(({ node }) => node.name)).toEqual([
      "lint",
      "unit",
    ]);
  });

  it("for the terminal", () => {
    expect(drawing(chartOf(TOUR), { colours: false, highlight: "talk" }).split("\n")).toMatchInlineSnapshot(`
      [
        "tour starts at build",
        "",
        "● build command",
        "│   states.build.Output contains '"x"' → fan",
        "│   otherwise → each",
        "│   on failure ⇢ build <failed>",
        "◆ fan parallel",
        "│   ● lint command",
        "│   ● unit operation",
        "│   on failure ⇢ bad",
        "↻ each for each",
        "│   ● one command",
        "│   │   on failure ⇢ each",
        "│   ▣ two call workflow",
        "│   │   → each",
        "● talk agent understudy ◀",
        "■ done success",
        "■ bad failure",
        "■ build <failed> failure",
        "",
      ]
    `);
  });
  it("as Mermaid", () => {
    expect(mermaid(chartOf(TOUR), OPTIONS).split("\n")).toMatchInlineSnapshot(`
      [
        "flowchart TB",
        "  n0["build"]",
        "  subgraph g_n1["fan"]",
        "    n1{"fan"}",
        "    n2["lint"]",
        "    n3[["unit"]]",
        "  end",
        "  subgraph g_n4["each"]",
        "    n4{{"each"}}",
        "    n5["one"]",
        "    n6[/"two"/]",
        "  end",
        "  n7("talk<br>understudy")",
        "  n8(["done"])",
        "  n9((("bad")))",
        "  n10((("build #60;failed#62;")))",
        "  start(( )) --> n0",
        "  n0 -->|"states.build.Output contains '#34;x#34;'"| n1",
        "  n0 -->|"otherwise"| n4",
        "  n0 -.->|"on failure"| n10",
        "  n1 -.-> n2",
        "  n1 -.-> n3",
        "  n1 --> n4",
        "  n1 -.->|"on failure"| n9",
        "  n2 --> n4",
        "  n3 --> n4",
        "  n4 -.-> n5",
        "  n4 -->|"when done"| n7",
        "  n5 --> n6",
        "  n5 -.->|"on failure"| n4",
        "  n6 --> n4",
        "  n7 --> n8",
        "  linkStyle 3,7,13 stroke:#c0392b,stroke-dasharray:4",
        "  style n7 stroke-width:3px,stroke:#2980b9",
        "",
      ]
    `);
  });
  it("as DOT", () => {
    expect(dot(chartOf(TOUR), { direction: "LR", highlight: "talk" }).split("\n")).toMatchInlineSnapshot(`
      [
        "digraph "tour" {",
        "  rankdir=LR;",
        "  node [fontname="Helvetica"];",
        "  edge [fontname="Helvetica"];",
        "  __start [shape=point];",
        "  "s:build" [label="build" shape=box];",
        "  subgraph "cluster:fan" {",
        "    label="fan" style=rounded;",
        "    "s:fan" [label="fan" shape=diamond];",
        "    "s:lint" [label="lint" shape=box];",
        "    "s:unit" [label="unit" shape=box3d];",
        "  }",
        "  subgraph "cluster:each" {",
        "    label="each" style=rounded;",
        "    "s:each" [label="each" shape=hexagon];",
        "    "s:one" [label="one" shape=box];",
        "    "s:two" [label="two" shape=folder];",
        "  }",
        "  "s:talk" [label="talk\\nunderstudy" shape=ellipse penwidth=3 color="#2980b9"];",
        "  "s:done" [label="done" shape=oval];",
        "  "s:bad" [label="bad" shape=doubleoctagon];",
        "  "s:__inline_error_build" [label="build <failed>" shape=doubleoctagon];",
        "  __start -> "s:build";",
        "  "s:build" -> "s:fan" [label="states.build.Output contains '\\"x\\"'"];",
        "  "s:build" -> "s:each" [label="otherwise"];",
        "  "s:build" -> "s:__inline_error_build" [label="on failure" style=dashed color="red"];",
        "  "s:fan" -> "s:lint" [style=dotted];",
        "  "s:fan" -> "s:unit" [style=dotted];",
        "  "s:fan" -> "s:each";",
        "  "s:fan" -> "s:bad" [label="on failure" style=dashed color="red"];",
        "  "s:lint" -> "s:each";",
        "  "s:unit" -> "s:each";",
        "  "s:each" -> "s:one" [style=dotted];",
        "  "s:each" -> "s:talk" [label="when done"];",
        "  "s:one" -> "s:two";",
        "  "s:one" -> "s:each" [label="on failure" style=dashed color="red"];",
        "  "s:two" -> "s:each";",
        "  "s:talk" -> "s:done";",
        "}",
        "",
      ]
    `);
  });

  it.each(FIXTURES)("of %s hold every state, and XState takes the machine", (_, source) => {
    const { workflow } = parse(source, { awf: true });
    if (workflow === null) throw new Error("the fixture cannot be read");
    const chart = chartOf(workflow);
    expect(chart.nodes.map(({ name }) => name).sort()).toEqual(Object.keys(workflow.states).sort());
    expect(mermaid(chart, OPTIONS).match(/^ {2,}n\d+[[({]/gm)).toHaveLength(chart.nodes.length);
    expect(dot(chart, OPTIONS).match(/ shape=\w+( penwidth.*)?\];$/gm)).toHaveLength(chart.nodes.length);
    expect(() => createMachine(stately(workflow) as object).root.initial).not.toThrow();
  });

  it("any workflow is a machine that XState takes, all of its targets there", () => {
    fc.assert(
      fc.property(workflows, (workflow) => {
        const machine = createMachine(stately(workflow) as object);
        const ids: string[] = [];
        const targets: string[] = [];
        const visit = (node: typeof machine.root): void => {
          ids.push(node.id);
          const transitions = [...node.transitions.values()].flat();
          targets.push(...transitions.flatMap(({ target }) => target ?? []).map(({ id }) => id));
          for (const child of Object.values(node.states)) visit(child);
        };
        visit(machine.root);
        expect(new Set(ids).size).toBe(ids.length);
        expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
      }),
    );
  });

  it("as a machine can be walked: its work ends well or badly, and every state has a way to it", () => {
    const { all, reached } = walkedStates(stately(TOUR));
    expect(all.filter((id) => !reached.has(id))).toEqual([]);
    const lone = documentOf(
      "name: one\nstates:\n  initial: a\n  a: {type: command, command: a, on_success: z}\n  z: {type: terminal}\n",
    );
    expect(walkedStates(stately(lone)).reached).toContain("one/z");
  });

  it("hold no syntax of an author's", () => {
    const odd = documentOf(
      'name: "a\\"]; evil"\nstates:\n  initial: x\n  x: {type: command, command: a, on_success: z, on_failure: {message: "y\\"]-->\\n%%{"}}\n  z: {type: terminal}\n',
    );
    const lines = mermaid(chartOf(odd), { direction: "TB", highlight: null }).split("\n");
    expect(lines[3]).toBe('  n2((("y#34;#93;--#62; #37;#37;#123;")))');
    expect(dot(chartOf(odd), { direction: "TB", highlight: null })).toContain('digraph "a\\"]; evil" {');
  });
});
