/** A server that answers while this process stands still, and how it does. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

const SERVER = `
const { parentPort, workerData: { type, first, last } } = require("node:worker_threads");
const server = require("node:http").createServer((request, response) => {
  parentPort.postMessage("asked");
  response.writeHead(200, { "content-type": type });
  response.write(first);
  setTimeout(() => response.end(last), 100);
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** The address of a server whose answer is whole 100 ms after it was asked; this process hears nothing for `ms` meanwhile. */
export async function answersTheDeaf(
  ms: number,
  answer = { type: "text/plain", first: "first ", last: "last" },
): Promise<string> {
  const worker = new Worker(SERVER, { eval: true, workerData: answer });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = await once(worker, "message");
  worker.once("message", () => setImmediate(standStill, ms));
  return `http://127.0.0.1:${port}/`;
}

/** As a process that is stopped by a signal. */
export const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
