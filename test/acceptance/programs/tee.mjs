// Runs between a client and an agent and writes down every message of both sides, one JSON a line, in a file of its
// own. The first argument is the folder of that file, the other arguments start the agent. The last line of the file
// says how the agent ended.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";

const [folder, file, ...args] = process.argv.slice(2);
const record = join(folder, `${process.hrtime.bigint()}-${process.pid}.jsonl`);
appendFileSync(record, "");

/** Writes a message down before it passes it on, so that an answer never comes before its request. */
function pass(from, source, target) {
  let rest = "";
  source.setEncoding("utf8");
  source.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        message = { unreadable: line };
      }
      appendFileSync(record, `${JSON.stringify({ from, message })}\n`);
      target.write(`${line}\n`);
    }
  });
  source.on("end", () => target.end());
  target.on("error", () => source.destroy());
}

const agent = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
pass("client", process.stdin, agent.stdin);
pass("agent", agent.stdout, process.stdout);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => agent.kill(signal));
agent.on("close", (code, signal) => {
  appendFileSync(record, `${JSON.stringify({ ended: signal ?? code })}\n`);
  process.exit(code ?? 1);
});
