/** Bodies of requests that are small to send and dear to read. */
import type { Server } from "../../support/server.ts";
import type { Defence } from "./defence.ts";

const DEEP = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
const WIDE = `[${"0,".repeat(100_000)}0]`;
const call = (method: string, params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
/** Where a body comes in, and what it is around a value. */
const DOORS: { readonly [path: string]: (value: string) => string } = {
  "/api/workflows/local/hello/run": (value) => `{"inputs":{"name":${value}}}`,
  "/mcp": (value) => call("tools/call", `{"name":"hello","arguments":{"name":${value}}}`),
  "/acp": (value) => call("initialize", `{"protocolVersion":1,"clientCapabilities":{},"_meta":{"name":${value}}}`),
};

/** Whether a value gets further than to the look at its shape, at one of the doors. Some would never answer then. */
async function isRead({ port }: Server, value: string): Promise<boolean> {
  const enough = new AbortController();
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const asked = Object.entries(DOORS).map(async ([path, body]) => {
    const request = { method: "POST", headers, body: body(value), signal: enough.signal };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, request);
    if (answer.status === 400 && /nested deeper|keys and items/.test(await answer.text())) throw new Error("refused");
  });
  try {
    return await Promise.any(asked).then(
      () => true,
      () => false,
    );
  } finally {
    enough.abort();
  }
}

export const BODY_DEFENCES: readonly Defence[] = [
  {
    threat: "T9",
    attack: "a body of the API, of MCP or of ACP is nested without end, or holds millions of items",
    without: [
      { file: "transports/http/body.ts", from: "const fault = shapeFault(text);", to: "const fault = shapeFault('');" },
      { file: "transports/http/acp/route.ts", from: "shapeFault(body)", to: "shapeFault('')" },
    ],
    succeeds: async ({ server }) => (await isRead(server, DEEP)) || (await isRead(server, WIDE)),
  },
  {
    threat: "T9",
    attack: "a run is asked for with as many inputs as fit in a body",
    without: [{ file: "transports/http/schemas.ts", from: "const MAX_INPUTS = 256;", to: "const MAX_INPUTS = 1e9;" }],
    succeeds: async ({ server: { port } }) => {
      const inputs = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`a${at}`, "x"]));
      const headers = { "content-type": "application/json" };
      const path = `http://127.0.0.1:${port}/api/workflows/local/hello/run`;
      const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify({ inputs }) });
      return !(await answer.text()).includes("at most 256 inputs");
    },
  },
];
