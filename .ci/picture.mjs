// `npm run picture`: docs/pictures/terminal.svg, the picture of a terminal in the README: a list and a first run in
// a real terminal (tmux), as they look at their end. It stands on our own colours, so that it can be read on any page.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const LINES = ["troupe list", "troupe run example -i name=Ada"];
const [COLUMNS, ROWS] = [96, 18];
const [CELL, LINE, EDGE] = [8.4, 19, 16];
const COLOURS = {
  31: "#ff8a80",
  32: "#9ccc65",
  33: "#ffd54f",
  34: "#82b1ff",
  35: "#ce93d8",
  36: "#80deea",
  90: "#9e9e9e",
};

const ESCAPE = String.fromCharCode(27);
const NO_BREAK = "\u00a0"; // blanks side by side stay
const STYLE = new RegExp(`(${ESCAPE}\\[[\\d;]*m)`);

const place = mkdtempSync(join(tmpdir(), "troupe-picture-"));
const tmux = (...args) =>
  execFileSync("tmux", ["-S", join(place, "tmux"), "-f", "/dev/null", ...args], { encoding: "utf8" });
const escaped = (text) => text.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]);

/** A line with its colours, as spans that each begin at their own column. */
function spans(line) {
  let [style, column, made] = ["", 0, ""];
  for (const part of line.split(STYLE)) {
    const codes = part.startsWith(ESCAPE) ? part.slice(2, -1).split(";") : null;
    if (codes !== null) {
      for (const code of codes)
        if (code === "" || code === "0" || code === "39") style = "";
        else if (code === "1") style += ' font-weight="bold"';
        else if (code === "2") style += ' fill="#9e9e9e"';
        else if (COLOURS[code] !== undefined) style += ` fill="${COLOURS[code]}"`;
      style = [...new Map([...style.matchAll(/ ([\w-]+)="[^"]*"/g)].map((one) => [one[1], one[0]])).values()].join("");
    } else if (part !== "") {
      made += `<tspan x="${(EDGE + column * CELL).toFixed(1)}"${style}>${escaped(part).replaceAll(" ", NO_BREAK)}</tspan>`;
      column += [...part].length;
    }
  }
  return made;
}

try {
  const bin = join(place, "bin");
  const project = join(place, "project");
  for (const folder of [bin, project]) mkdirSync(folder);
  writeFileSync(
    join(bin, "troupe"),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist", "troupe.js")}" "$@"\n`,
  );
  chmodSync(join(bin, "troupe"), 0o755);
  const env = [
    "-i",
    `PATH=${bin}:/usr/bin:/bin`,
    `HOME=${place}`,
    "TERM=tmux-256color",
    "LANG=C.UTF-8",
    "TROUPE_TRUST=1",
    "PS1=$ ",
  ];
  tmux(
    "new-session",
    "-d",
    "-x",
    `${COLUMNS}`,
    "-y",
    `${ROWS}`,
    "-c",
    project,
    "env",
    ...env,
    "bash",
    "--norc",
    "--noprofile",
  );
  execFileSync(join(bin, "troupe"), ["init"], { cwd: project, env: { PATH: `${bin}:/usr/bin:/bin`, HOME: place } });
  const screen = () => tmux("capture-pane", "-p", "-e");
  const until = async (text) => {
    for (let look = 0; !(screen().includes(text) && /\$\s*$/.test(screen())); look++) {
      if (look > 150) throw new Error(`it is not shown: ${text}\n${screen()}`);
      await sleep(100);
    }
  };
  await until("$");
  for (const [line, end] of [
    [LINES[0], "Greets somebody"],
    [LINES[1], "2 steps"],
  ]) {
    tmux("send-keys", line, "Enter");
    await until(end);
  }
  const shown = screen().trimEnd().split("\n");
  const [width, height] = [COLUMNS * CELL + 2 * EDGE, shown.length * LINE + 2 * EDGE];
  const text = shown.map((line, index) => `<text y="${EDGE + (index + 0.75) * LINE}">${spans(line)}</text>`).join("\n");
  writeFileSync(
    join(root, "docs", "pictures", "terminal.svg"),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#eeeeee">
<title>A terminal: troupe list, and troupe run example</title>
<rect width="100%" height="100%" rx="8" fill="#1e1e24"/>
${text}
</svg>
`,
  );
} finally {
  try {
    tmux("kill-server");
  } catch {
    // it has gone already
  }
  // The shell may write its history still.
  rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
