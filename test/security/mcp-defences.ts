/** What a host of MCP, and the model in it, is kept from (T31): each defence, how it is taken out, and the attack. */
import type { Defence } from "./defence.ts";
import { asMcpHost, isDecidedByNo } from "./mcp-attacks.ts";

const OFFER = "transports/mcp/offer.ts";

export const MCP_DEFENCES: readonly Defence[] = [
  {
    threat: "T31",
    attack: "a host looks for tools in a directory that is not trusted",
    stops: "there are none",
    without: [{ file: OFFER, from: "!(await troupe.isTrusted(cwd))", to: "false" }],
    succeeds: () => asMcpHost({ isTrusted: false }, async ({ tools }) => (await tools()).includes("hello")),
  },
  {
    threat: "T31",
    attack: "a host's configuration sets `TROUPE_TRUST`, and it calls a workflow that is not trusted",
    stops: "it does not count, and the run is refused where the tool is not",
    without: [
      { file: OFFER, from: "!(await troupe.isTrusted(cwd))", to: "false" },
      { file: "transports/cli/commands/mcp.ts", from: "  return rest;", to: "  return { ...rest, TROUPE_TRUST: _ };" },
    ],
    succeeds: () =>
      asMcpHost(
        { isTrusted: false, environment: { TROUPE_TRUST: "1" } },
        async ({ call }) => !(await call("hello", {})).isError,
      ),
  },
  {
    threat: "T31",
    attack: "a host reads a run of another directory",
    stops: "it is unknown there",
    without: [{ file: "transports/mcp/standing.ts", from: "record.cwd !== cwd", to: "false" }],
    succeeds: () =>
      asMcpHost(
        {},
        async ({ call, elsewhere }) => !(await call("troupe_run_status", { run: await elsewhere() })).isError,
      ),
  },
  {
    threat: "T31",
    attack: "a model decides a permission itself",
    stops: "there is no such tool, unless the user has said so",
    without: [{ file: "transports/mcp/tools/runs.ts", from: "...(allowDecide ? [decide] : []),", to: "...[decide]," }],
    succeeds: () =>
      asMcpHost({}, async ({ call, told }) => {
        const { run, permissions } = await told("gate", {});
        const [{ permission }] = permissions as [{ permission: string }];
        const decided = await call("troupe_run_decide", { run, permission, option: "allow" });
        return (decided.structuredContent as { status?: string } | undefined)?.status === "completed";
      }),
  },
  {
    threat: "T31",
    attack: "a model passes a secret on as an argument",
    stops: "the call is refused",
    without: [{ file: "transports/mcp/start.ts", from: "if (Object.hasOwn(given, name))", to: "if (false)" }],
    succeeds: () =>
      asMcpHost({}, async ({ call }) => !(await call("typed", { file: "a", api_token: "made-up-by-a-model" })).isError),
  },
  {
    threat: "T31",
    attack: "a form that a person declines stands for a yes",
    stops: "it decides nothing",
    without: [{ file: "projections/mcp/form.ts", from: '?.action === "accept"', to: "?.action !== undefined" }],
    succeeds: isDecidedByNo,
  },
];
