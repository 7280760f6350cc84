// What a reader does on a machine that has Node and Neovim alone, by the README; each step with its time. It stands in
// the root that `run.ts` makes, beside `plan.json`: the lines to run, the text of init.lua.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const { lines, setup } = JSON.parse(readFileSync("/plan.json", "utf8"));
const SOCKET = "/tmp/nvim.sock";
const LATEST_MS = 60_000;
const began = performance.now();
const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
const told = (what) => process.stdout.write(`${seconds().padStart(6)} s  ${what}\n`);

const project = "/root/project";
mkdirSync(project, { recursive: true });
process.chdir(project);
for (const line of lines) {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${line}: exit code ${status}\n${stdout}${stderr}`);
  told(line);
}

mkdirSync("/root/.config/nvim", { recursive: true });
writeFileSync("/root/.config/nvim/init.lua", setup);
const editor = spawn("nvim", ["--headless", "--listen", SOCKET], { stdio: ["ignore", "ignore", "inherit"] });
const remote = (how, what) => spawnSync("nvim", ["--server", SOCKET, how, what], { encoding: "utf8" }).stdout ?? "";
const lua = (text) => remote("--remote-expr", `luaeval('${text.replaceAll("'", "''")}')`);
const chat = () =>
  lua("table.concat(vim.api.nvim_buf_get_lines(require('codecompanion').last_chat().bufnr, 0, -1, false), '\\n')");
/** Looks again until it holds, or fails with what is there instead. */
async function until(what, look) {
  const late = performance.now() + LATEST_MS;
  for (;;) {
    const seen = look();
    if (seen !== null) return told(what);
    if (performance.now() > late) throw new Error(`not reached: ${what}\n${chat()}`);
    await sleep(200);
  }
}
const has = (text) => () => (chat().includes(text) ? text : null);
try {
  await until("Neovim is there", () => (remote("--remote-expr", "1").trim() === "1" ? 1 : null));
  remote("--remote-send", ":CodeCompanionChat adapter=troupe<CR>");
  const commands =
    "#require('codecompanion.interactions.chat.acp.commands').get_commands_for_buffer(require('codecompanion').last_chat().bufnr)";
  await until("the chat has the workflows as commands", () => (Number(lua(commands)) > 1 ? 1 : null));
  remote("--remote-send", "GA\\example name=Ada<Esc><CR>");
  await until("it asks whether the directory is trusted", has("`g1` - Always accept"));
  remote("--remote-send", "g1");
  await until("the run has ended", has("Hello, Ada! Files here:"));
  process.stdout.write(`${chat()}\n`);
} finally {
  editor.kill();
}
process.stdout.write(`from the tarball to a run in Neovim: ${seconds()} s\n`);
process.exitCode = performance.now() - began < 180_000 ? 0 : 1;
