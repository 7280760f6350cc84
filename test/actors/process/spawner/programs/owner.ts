/** Has the spawner start a child that ignores SIGTERM, tells both pids, and waits to be killed. */
import { spawnerProgram } from "../../../../../actors/process/spawner/launch.ts";
import { Spawner } from "../../../../../actors/process/spawner/spawner.ts";

const program = spawnerProgram();
if (program === null) throw new Error("there is no spawner");
const spawner = new Spawner(program);
const launched = await spawner.launch({
  argv: ["sh", "-c", 'trap "" TERM HUP; while :; do sleep 600; done'],
  cwd: "/",
  env: { PATH: process.env["PATH"] ?? "" },
  stdin: "ignore",
});
if (launched?.type !== "started") throw new Error("the child is not there");
process.stdout.write(`${launched.child.pid}\n${spawner.pid}\n`);
