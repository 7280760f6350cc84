// The bare spawn: a line {"argv", "count", "atOnce"} starts that many processes and reads their pipes. The answer is
// the milliseconds of each process, from its start to the close of its pipes, and of all together.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const one = ([file, ...args]) => new Promise((resolve) => {
  const begun = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  child.stdout.on('data', () => {}); child.stderr.on('data', () => {});
  child.once('close', () => resolve(performance.now() - begun));
});
for await (const line of createInterface({ input: process.stdin })) {
  const { argv, count, atOnce } = JSON.parse(line); const begun = performance.now(); let each = [];
  if (atOnce) each = await Promise.all(Array.from({ length: count }, () => one(argv)));
  else for (let i = 0; i < count; i++) each.push(await one(argv));
  process.stdout.write(`${JSON.stringify({ each, all: performance.now() - begun })}\n`);
}
