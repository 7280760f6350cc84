/** Keys and the mouse, as their bytes come in. */
import { PassThrough } from "node:stream";
import { setTimeout as after } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { keysOf } from "../../../transports/cli/keys.ts";

function typing() {
  const modes: boolean[] = [];
  const setRawMode = (mode: boolean) => void modes.push(mode);
  const stdin = Object.assign(new PassThrough(), { setRawMode }) as unknown as NodeJS.ReadStream & PassThrough;
  const pressed: string[] = [];
  const stop = keysOf(() => stdin)((key) => pressed.push(key));
  const send = async (...pieces: string[]) => {
    for (const piece of pieces) {
      stdin.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { pressed, modes, send, stop };
}
const WAITED_MS = 150;

test.each([
  [1, "\u001b"],
  [2, "\u001b["],
  [3, "\u001b[<"],
  [6, "\u001b[<0;5"],
])("a report of the mouse that was cut after %i bytes is none of the keys", async (at) => {
  const { pressed, send, stop } = typing();
  const report = "\u001b[<0;5;7M\u001b[<0;5;7m";
  await send("a", report.slice(0, at), report.slice(at), "b");
  await after(WAITED_MS);
  expect(pressed).toEqual(["a", "click-7", "b"]);
  stop();
});

test.each<[string, string[], string[]]>([
  ["escape alone", ["\u001b"], ["escape"]],
  ["an arrow that was cut", ["\u001b", "[A"], ["up"]],
  ["an arrow that was cut later", ["\u001b[", "B"], ["down"]],
  ["a paste whose marks were cut", ["\u001b[", "200~x", "\u001b", "[201~"], ["paste-start", "x", "paste-end"]],
  ["tab with shift", ["\t\u001b[Z"], ["tab", "backtab"]],
  ["delete", ["\u001b[3~"], ["delete"]],
  ["an arrow with ctrl, and with alt", ["\u001b[1;5D\u001b[1;3C"], ["ctrl-left", "ctrl-right"]],
  ["what a Mac sends for arrows with option", ["\u001bb", "\u001bf"], ["ctrl-left", "ctrl-right"]],
  ["backspace with alt", ["\u001b\u007f"], ["ctrl-w"]],
  ["letters of other scripts", ["é", "日"], ["é", "日"]],
])("%s is what it is", async (_, pieces, keys) => {
  const { pressed, send, stop } = typing();
  await send(...pieces);
  await after(WAITED_MS);
  expect(pressed).toEqual(keys);
  stop();
});

test("an escape is heard before what is typed after it", async () => {
  const { pressed, send, stop } = typing();
  await send("\u001b");
  await after(WAITED_MS);
  await send("q");
  expect(pressed).toEqual(["escape", "q"]);
  stop();
});

test("I1 ctrl-z stops the process with the terminal as it was, and the keys go on with it", async () => {
  const { pressed, modes, send, stop } = typing();
  const heard: string[] = [];
  const leave = (): void => void heard.push("leave");
  const change = (): void => void heard.push("change");
  process.on("SIGTSTP", leave);
  process.on("SIGCONT", change);
  const kill = vi.spyOn(process, "kill").mockImplementation((_, signal) => {
    heard.push(`${signal} ${process.listenerCount("SIGTSTP")} ${modes.at(-1)}`);
    return true;
  });
  onTestFinished(() => {
    kill.mockRestore();
    process.off("SIGTSTP", leave);
    process.off("SIGCONT", change);
  });
  await send("a", "\u001a", "b");
  expect([pressed, heard]).toEqual([
    ["a", "b"],
    ["leave", "SIGTSTP 0 false", "change"],
  ]);
  expect([modes.at(-1), process.listeners("SIGTSTP")]).toEqual([true, [leave]]);
  const listeners = process.listenerCount("SIGCONT");
  stop();
  expect([modes.at(-1), process.listenerCount("SIGCONT")]).toEqual([false, listeners - 1]);
});
