// An ACP agent for tests, in a few lines. Its first argument says how it behaves.
import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { createInterface } from "node:readline";

const way = process.argv[2] ?? "good";
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
if (way === "dies") {
  process.stderr.write("first\ncannot find my key\n");
  process.exit(7);
}
if (way === "noise") for (let i = 0; i < 150; i++) process.stdout.write(`noise ${i}\n`);
if (way === "stays") {
  // Neither the end of its input nor a signal ends it, nor a child that has left its group.
  process.on("SIGTERM", () => undefined);
  setInterval(() => undefined, 1000);
  spawn("setsid", ["sh", "-c", 'trap "" TERM; exec sleep 600'], { stdio: "ignore" });
}
if (way === "good") process.stdout.write("a word before the protocol\n");
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { id, method } = JSON.parse(line);
  // Answers that are too long, nested too deep, and of which nobody can say what they answer.
  const zeros = "0".repeat(11 << 20);
  if (way === "long" && method === "session/new") send({ id, result: { sessionId: "s", _meta: { zeros } } });
  if (way === "deep" && method === "session/new")
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${"[".repeat(500)}${"]".repeat(500)}}\n`);
  if (way === "nameless" && method === "session/new") send({ result: { sessionId: zeros }, id });
  // A request that is too long: how it was answered says the agent's answer.
  if (way === "asks" && method === "session/new")
    send({ id: "q", method: "fs/write_text_file", params: { content: zeros } });
  if (way === "asks" && id === "q") send({ id: 1, error: { code: 1, message: JSON.parse(line).error.message } });
  if (way === "shuts" && method === "session/new") {
    process.stderr.write("last words\n");
    closeSync(1);
    setInterval(() => undefined, 1000);
  }
  if (method === "initialize") send({ id, result: { protocolVersion: 1, _meta: { argv: process.argv.slice(2) } } });
});
lines.on("close", () => {
  if (way !== "stays") process.exit(0);
});
