// An agent that asks its client for what a prompt names, over standard input and output, or with `ws` over a socket. A
// prompt is a list of steps as JSON: {call, params} or {update}. "$terminal" stands for the last terminal, "$first" for
// the first one.
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream } from "@agentclientprotocol/sdk";
import { WebSocketServer } from "ws";

function probe() {
  return agent({ name: "probe" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "session-of-probe" }))
    .onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId, prompt } }) => {
      const terminals = [];
      for (const step of JSON.parse(prompt[0].text)) {
        const [first = "", last = ""] = [terminals[0], terminals.at(-1)];
        const filled = JSON.parse(JSON.stringify(step).replaceAll("$terminal", last).replaceAll("$first", first));
        if (filled.update !== undefined) {
          await client.notify(methods.client.session.update, { sessionId, update: filled.update });
          continue;
        }
        // The client's test looks at what the client refuses.
        const answer = await client.request(filled.call, { sessionId, ...filled.params }).catch(() => null);
        if (answer?.terminalId !== undefined) terminals.push(answer.terminalId);
      }
      return { stopReason: "end_turn" };
    });
}

function onSocket(ws) {
  const readable = new ReadableStream({
    start: (controller) => {
      ws.on("message", (data) => controller.enqueue(JSON.parse(String(data))));
      ws.on("close", () => controller.close());
    },
  });
  const writable = new WritableStream({ write: (message) => ws.send(JSON.stringify(message)) });
  probe().connect({ readable, writable });
}

if (process.argv[2] === "ws") {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", onSocket);
  server.on("listening", () => process.stdout.write(`${server.address().port}\n`));
} else probe().connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
