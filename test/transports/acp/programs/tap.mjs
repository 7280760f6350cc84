// Runs a program and writes down what goes in and out, a line each: tap.mjs <trace file> <program> <argument>…
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [trace, program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });

/** Passes bytes on and writes whole lines down. */
function pass(from, source, target) {
  let text = "";
  source.on("data", (bytes) => {
    target.write(bytes);
    const lines = (text + bytes.toString("utf8")).split("\n");
    text = lines.pop();
    for (const line of lines) appendFileSync(trace, `${JSON.stringify({ from, message: JSON.parse(line) })}\n`);
  });
  source.on("end", () => target.end());
}
pass("client", process.stdin, child.stdin);
pass("agent", child.stdout, process.stdout);
child.stdin.on("error", () => undefined);
process.stdout.on("error", () => undefined);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
