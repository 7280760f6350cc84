/** What the machines and the work of a step are born with: `machines/step/attempts.ts`. */
import { describe, expect, it } from "vitest";
import type { Prepared } from "../../../machines/contracts.ts";
import type { Scope } from "../../../machines/scope.ts";
import { callersOf, container, workInput } from "../../../machines/step/attempts.ts";
import type { StepNode } from "../../../machines/workflow/document.ts";
import { agent, ask, call, command, forEach, parallel, stepBirth, whileNode } from "../../support/documents.ts";

describe("the birth of a container's machine", () => {
  const prepared = { type: "loop", items: ["x"], maxIterations: 5 } as unknown as Prepared;
  const earlier = { was: "left" } as never;

  it("a later attempt has steps of its own, and takes over the same of an earlier run", () => {
    const birth = { ...stepBirth(forEach("a", [])), earlier };
    const { origin, node, nodes, scope, keep } = birth;
    const input = { origin, node, nodes, scope, keep, items: ["x"], maxIterations: 5 };
    expect(container(birth, 1, prepared)).toStrictEqual({
      type: "loop",
      input: { ...input, earlier },
    });
    const again = { ...origin, step: `${origin.step}@2` };
    expect(container(birth, 2, prepared)).toStrictEqual({
      type: "loop",
      input: { ...input, origin: again, earlier },
    });
    expect(container(stepBirth(forEach("a", [])), 1, prepared)).toStrictEqual({
      type: "loop",
      input,
    });
  });

  it("branches and rounds that are not prepared have what their step has", () => {
    const birth = stepBirth(parallel("a", ["b"]));
    const { origin, node, nodes, scope, keep } = birth;
    expect(container(birth, 1, null)).toStrictEqual({
      type: "parallel",
      input: { origin, node, nodes, scope, keep },
    });
    expect(container(stepBirth(whileNode("a", "1", [])), 1, prepared)).toMatchObject({
      type: "loop",
      input: { items: ["x"] },
    });
  });

  it("a called run knows who calls it, and from which step, whatever the attempt", () => {
    const birth = stepBirth(call("a"));
    const { origin, scope } = birth;
    const run = { type: "call", run: "r2", workflow: "w", inputs: {}, env: {} } as unknown as Prepared;
    const callers = [{ name: scope.workflow.Name, file: scope.file }];
    const born = container(birth, 2, run);
    expect(born).toStrictEqual({
      type: "run",
      id: "r2",
      input: {
        ...{
          id: "r2",
          workflow: "w",
          inputs: {},
          env: {},
          context: scope.context,
          session: origin.session,
          turn: null,
        },
        ...{ parentRun: origin.run, parentStep: origin.step, parallel: false, depth: 1, callers },
      },
    });
    const chosen = { chosen: { a: 1 }, tree: { b: 2 }, budgets: [] } as never;
    expect(container({ ...birth, scope: { ...scope, ...(chosen as object) } }, 1, run)).toMatchObject({
      input: chosen,
    });
    const above = { name: "above", file: "f" };
    expect(callersOf({ ...origin, callers: [above] }, scope)).toEqual([above, ...callers]);
  });

  it.each<[string, StepNode, Prepared | null]>([
    ["a command step is no container", command("a"), null],
    ["a for_each step begins when its input was prepared", forEach("a", []), null],
    ["a for_each step begins when its input was prepared", forEach("a", []), { type: "call" } as Prepared],
    ["a call_workflow step begins when its input was prepared", call("a"), prepared],
    ["an? ask step begins when its input was prepared", ask("a", []), null],
  ])("%s", (message, node, input) => {
    expect(() => container(stepBirth(node), 1, input)).toThrow(new RegExp(`^${message}$`));
  });
});

describe("the conversation that an agent goes on with", () => {
  const asks = agent("a", { conversation: { continueFrom: "before" } as never });
  const left = {
    before: { Output: "", Stderr: "", ExitCode: 0, Status: "completed", Conversation: "theirs" },
  } as const;
  const from = (node: StepNode, states: Scope["states"], conversation: string | null = null) => {
    const birth = { ...stepBirth(node), self: "step/1", parent: null, at: 0 } as const;
    const context = { attempt: 1, conversation, said: null, repair: { words: null } };
    return workInput({ ...context, birth: { ...birth, scope: { ...birth.scope, states } } }).conversation;
  };

  it("is its own, else that of the step it names, else none", () => {
    expect(from(asks, left)).toBe("theirs");
    expect(from(asks, left, "own")).toBe("own");
    expect(from(asks, {})).toBeNull();
    expect(from(agent("a"), left)).toBeNull();
    expect(from(command("a"), left)).toBeNull();
  });

  it("is that step's too for another model in its place, and none for another provider", () => {
    const standIn = (instead: object) => {
      const node = { ...asks, fallback: [instead] } as StepNode;
      const birth = { ...stepBirth(node), self: "step/1", parent: null, at: 0 } as const;
      const context = { attempt: 1, conversation: null, said: null, repair: { words: null }, standIn: 1 };
      const input = workInput({ ...context, birth: { ...birth, scope: { ...birth.scope, states: left } } });
      return [input.conversation, input.instead];
    };
    const [model, provider] = [{ model: "m" }, { provider: "p" }];
    expect([standIn(model), standIn(provider)]).toEqual([
      ["theirs", model],
      [null, provider],
    ]);
  });
});

describe("the birth of work", () => {
  const context = (more: object = {}) => {
    const birth = { ...stepBirth(command("work")), self: "step/1", parent: null, at: 0 } as const;
    return { birth, attempt: 2, conversation: null, said: null, repair: { words: null }, ...more };
  };
  const { origin, node, scope } = context().birth;
  const input = { origin, node, scope, attempt: 2, conversation: null, said: null };

  it("has what was added, what to repair and its conversation, where there is any", () => {
    expect(workInput(context())).toStrictEqual(input);
    expect(workInput(context({ guidance: { added: [] } }))).toStrictEqual(input);
    const more = { guidance: { added: ["more"] }, repair: { words: "mend" }, conversation: "c", said: "so far" };
    expect(workInput(context(more))).toStrictEqual({
      ...input,
      conversation: "c",
      said: "so far",
      added: ["more"],
      repair: "mend",
    });
  });
});
