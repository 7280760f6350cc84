/**
 * Opens the page in the user's browser.
 *
 * I1. The address holds a ticket. No other user reads it: it stands in a file that only this user can read, never in the
 *     arguments of a process, and on standard error only where a person sits before it. The file goes with the ticket.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { TICKET_MS } from "../serve/sign-ins.ts";
import type { Io } from "./io.ts";

/** Answers what takes the file away before its time. */
export function openPage(
  { env, asks }: Pick<Io, "env" | "asks">,
  address: string,
  log: (line: string) => void,
): () => void {
  const folder = mkdtempSync(join(tmpdir(), "troupe-open-"));
  const file = join(folder, "open.html");
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Troupe</title><meta http-equiv="refresh" content="0; url=${address}">\n`;
  writeFileSync(file, page, { mode: 0o600 });
  const forget = (): void => {
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  };
  const timer = setTimeout(forget, TICKET_MS).unref();
  showFile({ env }, file);
  log(`the page opens within a minute, once: ${asks ? address : pathToFileURL(file).href}`);
  return forget;
}

/** Shows a file in the browser. Without a browser nothing happens: the caller has printed where the file is. */
export function showFile({ env }: Pick<Io, "env">, file: string): void {
  const [program, ...words] = opener(env);
  const child = spawn(program, [...words, file], { detached: true, stdio: "ignore", env: { ...env } });
  child.on("error", () => undefined);
  child.unref();
}

/** Shows a folder as the system shows folders; without a way to do that nothing happens. */
export function showFolder({ env }: Pick<Io, "env">, folder: string): void {
  const { BROWSER: _, ...rest } = env;
  showFile({ env: rest }, folder);
}

/** `BROWSER` where it names a program, else what the system opens files by. */
export function opener(env: Io["env"]): [string, ...string[]] {
  const named = env["BROWSER"];
  if (named !== undefined && /^[^\s:%]+$/.test(named)) return [named];
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
