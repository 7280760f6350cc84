/**
 * The inspector of MCP's own project, its command line, with `troupe mcp` and with `/mcp` of `troupe serve`.
 *
 * N1. In both eras of the protocol it lists tools, resources and templates, and finds no fault in a tool's schema.
 * N2. A call is a run. A workflow that cannot run is an error of its tool, with its code.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import { trust } from "../support/mcp-host.ts";
import { type Server, startServer } from "../support/server.ts";
import { Started } from "../support/started.ts";
import { binOf, PROGRAMS } from "./programs.ts";

const INSPECTOR = join(binOf(PROGRAMS.find(({ name }) => name === "mcp-inspector")!), "mcp-inspector");
/** Of a call whose tool says that it is an error. */
const TOOL_ERROR = 5;
type Answer = { code: number | null; result: unknown; findings: unknown };

let house: House;
let server: Server;
beforeAll(async () => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/talk.yaml"]);
  await trust(house, "hello");
  server = await startServer(house);
});
afterAll(() => house.leave());

const faces: { name: string; target: () => string[] }[] = [
  {
    name: "troupe mcp",
    target: () => [
      ...["--cwd", house.cwd, ...Object.entries(house.env).flatMap(([name, value]) => ["-e", `${name}=${value}`])],
      ...[process.execPath, PROGRAM, "mcp"],
    ],
  },
  { name: "/mcp of troupe serve", target: () => ["--transport", "http", "--server-url", `${httpOf(server)}/mcp`] },
];
const httpOf = ({ port }: Server): string => `http://127.0.0.1:${port}`;

describe.each(faces)("$name", ({ target }) => {
  describe.each(["legacy", "modern"])("%s", (era) => {
    async function inspect(...args: string[]): Promise<Answer> {
      const argv = [INSPECTOR, "--cli", "--format", "json", "--protocol-era", era, ...target(), ...args] as const;
      const asked = new Started(argv, { cwd: house.cwd, env: house.env });
      const { code } = await asked.ended;
      const [said = "{}"] = asked.lines.filter((line) => line.startsWith("{"));
      const { result, schemaFindings = [] } = JSON.parse(said) as { result?: unknown; schemaFindings?: unknown };
      return { code, result, findings: schemaFindings };
    }

    it("lists tools, resources and templates, and finds no fault in a schema (N1)", async () => {
      const tools = await inspect("--method", "tools/list", "--strict");
      expect(tools).toMatchObject({ code: 0, findings: [] });
      const names = (tools.result as { tools: { name: string }[] }).tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["hello", "talk", "troupe_run_start", "troupe_run_answer"]));
      expect(await inspect("--method", "resources/list")).toMatchObject({
        result: { resources: expect.arrayContaining([expect.objectContaining({ uri: "troupe://workflows/hello" })]) },
      });
      expect(await inspect("--method", "resources/templates/list")).toMatchObject({
        result: { resourceTemplates: expect.arrayContaining([expect.objectContaining({ name: "run" })]) },
      });
    });

    it("calls a workflow, and gets an error for an unknown one (N2)", async () => {
      const call = ["--method", "tools/call", "--tool-name"];
      expect(await inspect(...call, "hello")).toMatchObject({
        code: 0,
        result: { structuredContent: { workflow: "hello", status: "completed" } },
      });
      expect(await inspect(...call, "troupe_run_start", "--tool-arg", "workflow=nobody")).toMatchObject({
        code: TOOL_ERROR,
        result: {
          isError: true,
          content: [{ text: expect.stringContaining("USER.FACADE.WORKFLOW_NOT_FOUND") }],
        },
      });
    });
  });
});
