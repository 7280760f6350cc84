/** A real HTTP server on loopback for one test: it remembers what it was asked and answers as the test says. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Asked = { method: string; path: string; headers: { [name: string]: string }; body: string };
export type Answered = { status?: number; headers?: { [name: string]: string }; body?: string | Uint8Array } | "never";

export async function httpServer(answer: (asked: Asked) => Answered): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const one = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers,
      body: Buffer.concat(chunks).toString(),
    };
    asked.push(one);
    const given = answer(one);
    if (given === "never") return;
    response.writeHead(given.status ?? 200, given.headers).end(given.body ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
