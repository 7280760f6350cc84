/** `troupe ui` on a real terminal, and its screens beside golden ones. Times, ids and places are masked. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { type House, PROGRAM } from "./house.ts";
import { type Size, steadyScreen, Tmux } from "./tmux.ts";

export type Looks = (screen: string) => boolean;
const GOLDEN = fileURLToPath(new URL("../acceptance/golden/ui/", import.meta.url));

export const startUi = ({ root, cwd, env }: House, size: Size, args = "ui"): Tmux =>
  new Tmux(root, { ...size, cwd, env: { ...env, NO_COLOR: "1" }, command: `${process.execPath} ${PROGRAM} ${args}` });

export const has =
  (...texts: string[]): Looks =>
  (screen) =>
    texts.every((text) => screen.includes(text));

/** Compares the screen that looks so with the golden one of that name and width. */
export async function isGolden(
  terminal: Tmux,
  { cwd }: House,
  { size, name, looks }: { size: Size; name: string; looks: Looks },
): Promise<void> {
  const steady = (screen: string): string =>
    `${steadyScreen(screen)
      .replace(/\b[\w-]{8}(?= (again|check|first|running|completed|failed|cancelled|waiting|asks|Run)|\?)/g, "RUNIDRUN")
      .replaceAll(cwd, "CWD")
      .replace(/ {3,}/g, "   ")}\n`;
  const file = join(GOLDEN, `${name}-${size.columns}.txt`);
  await expect(await terminal.shown(file, steady, looks)).toMatchFileSnapshot(file);
}
