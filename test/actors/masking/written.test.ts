import { expect, it } from "vitest";
import { fileOfSecret, learnWritten } from "../../../actors/masking/written.ts";
import type { Json } from "../../../machines/model.ts";
import type { Workflow } from "../../../machines/workflow/document.ts";
import { agent, command, workflow } from "../../support/documents.ts";

function learned(of: Workflow): [string, Json][] {
  const heard: [string, Json][] = [];
  learnWritten({ learn: (name, value) => void heard.push([name, value]) }, of);
  return heard;
}
const FILE = "/p/a b.yaml";
const ABOVE = `file/${encodeURIComponent(FILE)}`;
const input = (name: string, more: object) => ({ name, type: "string", required: false, ...more }) as never;

it("every secret that a file writes out is learned, under its place in the file (I1, I2)", () => {
  const file = workflow(
    [
      agent("ask", {
        mcpServers: { own: { env: { A_KEY: "a1" }, headers: { "B-Key": "b2" } } },
        options: {
          env: { C_KEY: "c3", WHAT: "long-enough" },
          headers: { "X-Key": "x6" },
          mcp_servers: { more: { env: { D_KEY: "d4" } } },
        },
      }),
      {
        ...command("call"),
        type: "operation",
        operation: "x",
        inputs: {},
        mcpServers: { its: { headers: { "E-Key": "e5" } } },
      } as never,
    ],
    {
      file: FILE,
      inputs: [input("api_key", { default: "k0" }), input("api_token", {}), input("topic", { default: "no secret" })],
      mcpServers: { all: { env: { F_KEY: "f6" } } },
    },
  );
  expect(learned(file)).toEqual([
    [`${ABOVE}/inputs/api_key`, "k0"],
    [`${ABOVE}/mcp_servers/all/env/F_KEY`, "f6"],
    [`${ABOVE}/states/ask/mcp_servers/own/env/A_KEY`, "a1"],
    [`${ABOVE}/states/ask/mcp_servers/own/headers/B-Key`, "b2"],
    [`${ABOVE}/states/ask/env/C_KEY`, "c3"],
    [`${ABOVE}/states/ask/env/WHAT`, "long-enough"],
    [`${ABOVE}/states/ask/headers/X-Key`, "x6"],
    [`${ABOVE}/states/ask/options/mcp_servers/more/env/D_KEY`, "d4"],
    [`${ABOVE}/states/call/mcp_servers/its/headers/E-Key`, "e5"],
  ]);
});

it("what a template gives is none yet; numbers are", () => {
  const env = { A_KEY: "{{inputs.key}}", B_KEY: "x{{y}}", C_KEY: 12 };
  expect(learned(workflow([agent("ask", { options: { env } })], { file: FILE }))).toEqual([
    [`${ABOVE}/states/ask/env/C_KEY`, 12],
  ]);
});

it.each<[string, Json]>([
  ["null", null],
  ["a text", "A_KEY"],
  ["a list", ["A_KEY"]],
])("nothing is learned where %s stands for a map", (_, value) => {
  const options = { env: value, mcp_servers: value };
  const servers = { one: value, two: { env: value, headers: value } };
  expect(learned(workflow([agent("ask", { options, mcpServers: servers }), command("work")]))).toEqual([]);
});

it("a workflow without a file is known by its name", () => {
  const file = workflow([], { name: "demo/it", inputs: [input("api_key", { default: "k0" })] });
  expect(learned(file)).toEqual([["file/demo%2Fit/inputs/api_key", "k0"]]);
});

it.each([
  [`${ABOVE}/inputs/api_key`, FILE],
  ["file/", ""],
  ["env/OPENAI_API_KEY", null],
  ["config/file/", null],
])("the name %j points to the file %j (I2)", (name, file) => {
  expect(fileOfSecret(name)).toBe(file);
});
