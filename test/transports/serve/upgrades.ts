/** Servers with and without a token, and raw upgrades to them, for the tests of the file that takes them from here. */
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { type Server, startServer } from "../../support/server.ts";

export const TOKEN = "k".repeat(40);
export let house: House;
export let server: Server;
export let guarded: Server;
beforeAll(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  const tokens = join(house.root, "tokens");
  writeFileSync(tokens, `# who may come in\nann ${TOKEN}\n`, { mode: 0o600 });
  server = await startServer(house, ["--allow-origin", "https://app.example", "--allow-origin", "vscode-webview://x"]);
  guarded = await startServer(house, ["--allow-origin", "https://app.example", "--token-file", tokens]);
});
afterAll(() => house.leave());

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
/** The status of an upgrade with exactly these header lines besides the four that make it one. */
export function upgrade(
  port: number,
  lines: readonly string[],
  path = "/acp",
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const head = [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${KEY}`,
    ];
    socket.write(`GET ${path} HTTP/1.1\r\n${[...head, ...lines].join("\r\n")}\r\n\r\n`);
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (text.startsWith("HTTP/1.1 101")) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve({ status: Number(text.slice(9, 12)), text }));
  });
}
export const host = (port: number): string => `Host: 127.0.0.1:${port}`;
