/** Covers I1 of `calls.ts` and I3 of `preflight.ts`: what called workflows cost to look at. */
import { expect, test } from "vitest";
import type { Loaded } from "../../../actors/catalogue/catalogue.ts";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { preflightOf } from "../../../actors/preflight/preflight.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

const LEVELS = 12;

/** Two workflows a level, each of which calls both of the next one; the last leads nowhere. */
function levelled(name: string): string {
  const next = Number(name.slice(1)) + 1;
  if (next === LEVELS) return `name: ${name}\nstates:\n  initial: p\n  p: {type: agent, provider: none, prompt: x}\n`;
  const call = (state: string, called: string, then: string) =>
    `  ${state}: {type: call_workflow, workflow: ${called}${next}, on_success: ${then}}\n`;
  return `name: ${name}\nstates:\n  initial: p\n${call("p", "b", "q")}${call("q", "c", "z")}  z: {type: terminal}\n`;
}

function preflightWith(sourceOf: (name: string) => string) {
  const loads: string[] = [];
  const load = async (_: string, name: string): Promise<Loaded> => {
    loads.push(name);
    const file = `/w/${name}.yaml`;
    const source = sourceOf(name);
    const { workflow, findings } = parseWorkflow(source, { file, awf: false });
    return { id: name, file, real: file, workflow, source, findings, awf: false } as Loaded;
  };
  const config = () => ({ permissions: null }) as never;
  const preflight = preflightOf({ catalogue: { load }, environment: {}, operations: {}, providers: [], config });
  return { loads, load, preflight };
}

test("a workflow that many call is looked at once, and a fault of it is told in few words", async () => {
  const { loads, load, preflight } = preflightWith(levelled);
  const called = await load("/w", "b0");
  const found = await preflight.check(called, { cwd: "/w", inputs: {}, servers: [] });
  expect(loads.filter((name) => name === `b${LEVELS - 1}`)).toHaveLength(2);
  expect(loads).toHaveLength(1 + 2 * (1 + 2 * (LEVELS - 2)));
  expect(found.map(({ message }) => message.slice(0, 26))).toEqual([
    '"b1" would be refused: b1.',
    '"c1" would be refused: c1.',
  ]);
  expect(Math.max(...found.map(({ message }) => message.length))).toBeLessThanOrEqual(1_000);
});

test("what was chosen for the session counts for agents of called workflows too", async () => {
  const sources: { [name: string]: string } = {
    outer:
      "name: outer\nstates:\n  initial: p\n  p: {type: call_workflow, workflow: inner, on_success: z}\n  z: {type: terminal}\n",
    inner:
      "name: inner\nstates:\n  initial: p\n  p: {type: agent, provider: claude, prompt: x, requires: {execute: allow}, on_success: z}\n  z: {type: terminal}\n",
  };
  const { load, preflight } = preflightWith((name) => sources[name] ?? "");
  const departure = { cwd: "/w", inputs: {}, servers: [] };
  const outer = await load("/w", "outer");
  const found = async (permissions: string) =>
    (await preflight.check(outer, { ...departure, permissions })).map(({ message }) => message).join();
  expect(await found("ask")).toContain('this step needs tools of the kind "execute" without a question');
  expect(await found("allow")).toBe("");
});

test("what is read of a called workflow's outputs is what it gives, under the names that they have here", async () => {
  const sources: { [name: string]: string } = {
    outer: `name: outer
outputs: {all: "{{.states.p.JSON.made}}", some: "{{.states.p.JSON.nix}}"}
states:
  initial: p
  p: {type: call_workflow, workflow: inner, outputs: {made: here}, on_success: q}
  q: {type: command, command: "echo {{.states.p.JSON.here}} {{.states.p.Response.othr}}", on_success: r}
  r: {type: call_workflow, workflow: "{{.inputs.which}}", transitions: [{when: "states.p.JSON.gone == 'a' or states.r.JSON.any == 'b'", goto: z}], on_success: z}
  z: {type: terminal, message: "{{.states.p.JSON.other}} {{.states.p.Output}}"}
inputs: [{name: which, default: inner}]
`,
    inner: "name: inner\noutputs: {made: x, other: y}\nstates: {initial: z, z: {type: terminal}}\n",
  };
  const { load, preflight } = preflightWith((name) => sources[name] ?? "");
  const departure = { cwd: "/w", inputs: { which: "inner" }, servers: [] };
  const found = await preflight.check(await load("/w", "outer"), departure);
  expect(found.map(({ path, message, suggestion, severity }) => ({ path, message, suggestion, severity }))).toEqual(
    [
      ["outputs.all", 'the answer of "p" has no "made": it gets the name "here" here', "here"],
      ["outputs.some", 'the answer of "p" has no "nix": "inner" has no such output', undefined],
      ["states.q.command", 'the answer of "p" has no "othr": "inner" has no such output', "other"],
      ["states.r.transitions[0].when", 'the answer of "p" has no "gone": "inner" has no such output', undefined],
    ].map(([path, message, suggestion]) => ({ path, message, suggestion, severity: "error" })),
  );
});

test("a name that the inputs make refuses a run only where its step is sure to come", async () => {
  const source = (when: string) => `name: outer
inputs: [{name: which, default: ""}]
states:
  initial: one
  one: {type: command, command: "true", transitions: [${when}], on_success: two}
  two: {type: call_workflow, workflow: "{{.inputs.which}}", on_success: z}
  z: {type: terminal}
`;
  const refused = async (when: string): Promise<boolean[]> => {
    const { load } = preflightWith(() => source(when));
    const outer = await load("/w", "outer");
    const lost = new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", 'there is no workflow ""');
    const catalogue = { load: () => Promise.reject(lost) };
    const config = () => ({ permissions: null }) as never;
    const alone = preflightOf({ catalogue, environment: {}, operations: {}, providers: [], config });
    const found = await alone.check(outer, { cwd: "/w", inputs: { which: "" }, servers: [] });
    return found.map(({ severity, refuses }) => severity === "error" || refuses === true);
  };
  expect(await refused("")).toEqual([true]);
  expect(await refused("{when: \"inputs.which == ''\", goto: z}")).toEqual([false]);
});
