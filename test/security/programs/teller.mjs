// An agent that tells all it was given: by name as an ACP agent, else as the program of a provider that fails at once.
import { basename } from "node:path";
import { createInterface } from "node:readline";

const told = JSON.stringify(
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("WARE"))),
);
if (basename(process.argv[1]) !== "teller.mjs") {
  process.stderr.write(`I was given ${told}\n`);
  process.stdout.write(`${JSON.stringify({ type: "error", message: told })}\n`);
  process.exit(3);
}
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let servers = [];
process.stderr.write(`started with ${told}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  switch (method) {
    case "initialize":
      return send({
        id,
        result: {
          protocolVersion: 1,
          agentCapabilities: { mcpCapabilities: { http: true, sse: true } },
          authMethods: [],
        },
      });
    case "session/new":
      servers = params.mcpServers;
      return send({ id, result: { sessionId: "told" } });
    case "session/prompt": {
      const update = (one) => send({ method: "session/update", params: { sessionId: "told", update: one } });
      const all = { env: process.env, servers };
      for (const piece of JSON.stringify(all, null, 1).match(/[\s\S]{1,7}/g) ?? [])
        update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: piece } });
      update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: told } });
      update({
        sessionUpdate: "tool_call",
        toolCallId: "t",
        title: `Use ${told}`,
        kind: "other",
        status: "completed",
        rawInput: all,
        rawOutput: all,
      });
      return send({ id, result: { stopReason: "end_turn" } });
    }
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: "no" } });
  }
});
