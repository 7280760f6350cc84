/** Inputs that a command of AWF's names as variables. */
import { describe, expect, it } from "vitest";
import type { Scope } from "../../../machines/scope.ts";
import { run } from "./command-run.ts";
import { commandNode, workspace } from "./support.ts";

describe("an input that a command names as a variable", () => {
  const environment = { PATH: process.env["PATH"] ?? "", COLOR: "red" };
  const inputs = { target: "a b", COLOR: "blue", GIT_DIR: "x", other: "y", list: [1], n: 3 };
  const output = async (command: string, awf: Partial<Scope> = { awf: true }) => {
    const { rows, result: ended } = await run(commandNode(command), workspace(), {
      scope: { inputs, ...awf },
      options: { environment },
    });
    const notices = rows
      .filter(({ type }) => type === "notice")
      .map(({ payload }) => Object(payload).message as string);
    return [ended.outcome.error?.message ?? ended.state.Output, ...notices];
  };

  it("is handed over in AWF's places: that one, and no other", async () => {
    expect(await output('echo "$target|${n}|$list|$(printenv other)"')).toEqual(["a b|3||"]);
    expect(await output("sh -c 'echo \"$target\"'")).toEqual(["a b"]);
    expect(await output('echo "$target"', {})).toEqual([""]);
  });

  it("does not replace what the environment sets or programs heed, and says so", async () => {
    expect(await output('echo "$COLOR$GIT_DIR"')).toEqual([
      "red",
      "states.build: $COLOR, $GIT_DIR is the environment's here, not the input: it is set already, or programs heed " +
        "that name. Write {{.inputs.COLOR}} for the input.",
    ]);
  });

  it.each(["[[ $target -eq 1 ]]", "v=$target; (( v ))", "f() { (( $1 )); }; f $target"])(
    "must be an integer where it is computed: %s",
    async (command) => {
      expect(await output(command)).toEqual([
        expect.stringContaining("$target is an input here: the value must be an"),
      ]);
    },
  );

  it.each(['sh -c "echo $target"', "eval echo $target", "$target x", 'echo "$target" | sh'])(
    "must be a plain word in code: %s",
    async (command) => {
      expect(await output(command)).toEqual([expect.stringContaining("must be a plain word")]);
    },
  );
});
