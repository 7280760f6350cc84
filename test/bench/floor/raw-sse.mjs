/**
 * The smallest server of events. Every reader of `GET /events` gets what `POST /say` says, encoded once. A slow reader
 * holds up the others, so that nothing is lost.
 */
import { once } from "node:events";
import { createServer } from "node:http";

const RUN = crypto.randomUUID();
const readers = new Set();
let id = 0;

async function say(count, perSecond) {
  const begun = performance.now();
  for (let i = 0; i < count; ) {
    const due = perSecond === 0 ? i + 256 : Math.floor(((performance.now() - begun) / 1000) * perSecond) + 1;
    let text = "";
    for (; i < Math.min(due, count); i++)
      text += `event: live\ndata: ${JSON.stringify({ type: "message.assistant", run: RUN, step: "chat", payload: { block: "chat#1#1", offset: 0, text: `tok${i} ` }, after: 12 })}\n\n`;
    const bytes = Buffer.from(text);
    const full = [...readers].filter((response) => !response.write(bytes));
    await Promise.all(full.map((response) => once(response, "drain")));
    await new Promise(perSecond === 0 ? setImmediate : (resolve) => setTimeout(resolve, 1));
  }
  id += 1;
  for (const response of readers) response.write(`id: ${id}\nevent: input.required\ndata: {}\n\n`);
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://floor");
  if (url.pathname === "/events") {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    request.socket.setNoDelay(true);
    readers.add(response);
    response.on("close", () => readers.delete(response));
    return;
  }
  response.writeHead(202).end();
  void say(Number(url.searchParams.get("count")), Number(url.searchParams.get("rate") ?? 0));
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => console.error("listening"));
process.on("SIGTERM", () => process.exit(0));
