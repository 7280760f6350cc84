/** The line of an answer, as its bytes come in from a terminal. */
import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { typedLine } from "../../../transports/cli/typed-line.ts";
import { MiniTerminal } from "../../support/mini-terminal.ts";

const [PASTE_ON, PASTE_OFF] = ["\u001b[?2004h", "\u001b[?2004l"];
const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;
const heard = ["exit", "SIGCONT", "SIGINT", "SIGTERM", "SIGHUP"] as const;
const listeners = (): number[] => heard.map((one) => process.listenerCount(one));
const before = listeners();
afterEach(() => expect(listeners()).toEqual(before));

/** A terminal that is asked on; `modes` is what was done to it, in order. */
function terminal(columns?: number) {
  const modes: (string | boolean)[] = [];
  const stdin = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => void modes.push(mode) });
  let shown = "";
  const echo = Object.assign(new PassThrough(), { columns }).on("data", (bytes) => {
    shown += String(bytes);
  });
  const asking = new AbortController();
  let around = (write: () => void): void => write();
  const ask = ({ hidden = false, above = "" } = {}): Promise<string | null> => {
    const mode = (text: string): void => void modes.push(text);
    const say = (text: string): void => {
      shown += text;
    };
    return typedLine(asking.signal, {
      ...{ stdin: stdin as unknown as NodeJS.ReadStream, echo: hidden ? null : echo, mode, say, above },
      shown: (given) => {
        around = given;
      },
    });
  };
  const meanwhile = (text: string): void =>
    around(() => {
      shown += text;
    });
  return { stdin, modes, ask, asking, meanwhile, shown: () => shown };
}

test.each<[string, string, string]>([
  ["lines", `${pasted("one\rtwo\nthree\r\nfour")}\r`, "one\ntwo\nthree\nfour"],
  ["a line with its end", `${pasted("one\r")}\r`, "one"],
  ["among what is typed", `a ${pasted("b\rc")} d\r`, "a b\nc d"],
  ["with a sign that stands for a line's end elsewhere", `${pasted("press ↵\rnow")}\r`, "press ↵\nnow"],
  ["in two", `${pasted("a\rb")}${pasted("c\rd")}\r`, "a\nbc\nd"],
  ["with what would move the cursor", `${pasted("a\u001b[2Jb\u0007\tc")}\r`, "ab\tc"],
  ["longer than a line of the terminal's own", `${pasted("x".repeat(5_000))}\r`, "x".repeat(5_000)],
  ["whose lines are taken back", `${pasted("a\rb")}\u007f\u007fz\r`, "az"],
])("I1: a paste is one answer: %s", async (_, bytes, answer) => {
  const { stdin, ask } = terminal();
  const line = ask();
  stdin.write(bytes);
  expect(await line).toBe(answer);
});

test("I1: a paste is shown whole, and waits for Enter", async () => {
  const { stdin, ask, shown } = terminal();
  const line = ask({ above: "? it\n" });
  stdin.write(pasted("one\rtwo\r"));
  await expect.poll(shown).toContain("one↵two↵");
  expect(shown()).toMatch(/^\? it\n/);
  stdin.write("\r");
  expect(await line).toBe("one\ntwo");
});

test("I1: a key of several lines that is pasted unseen is one value", async () => {
  const { stdin, ask, shown } = terminal();
  const line = ask({ hidden: true, above: "? key\n" });
  stdin.write(`${pasted("BEGIN\rhush\rEND\r")}\r`);
  expect(await line).toBe("BEGIN\nhush\nEND");
  expect(shown()).toBe("? key\n> \n");
});

const HELD = [false, true, PASTE_ON];
const LEFT = [PASTE_OFF, false];

test("I2: the terminal is as it was once it is answered, withdrawn, at its end, and at Ctrl-D", async () => {
  const ends: [(all: ReturnType<typeof terminal>) => void, string | null][] = [
    [({ stdin }) => stdin.write("y\r"), "y"],
    [({ asking }) => asking.abort(), null],
    [({ stdin }) => stdin.end(), null],
    [({ stdin }) => stdin.write("\u0004"), null],
  ];
  for (const [end, answer] of ends) {
    const all = terminal();
    const line = all.ask();
    expect(all.modes).toEqual(HELD);
    end(all);
    expect(await line).toBe(answer);
    expect(all.modes).toEqual([...HELD, ...LEFT]);
  }
});

test("I2: it is as it was when the process ends, and again the question's when a stopped one goes on", async () => {
  const { stdin, modes, ask } = terminal();
  const line = ask();
  process.emit("SIGCONT");
  expect(modes).toEqual([...HELD, ...HELD]);
  for (const act of process.listeners("exit").slice(before[0])) act(0);
  expect(modes).toEqual([...HELD, ...HELD, ...LEFT]);
  stdin.write("y\r");
  expect(await line).toBe("y");
  expect(modes).toEqual([...HELD, ...HELD, ...LEFT]);
});

test("I2: who hears of an interrupt withdraws the question, and until then it is not answered", async () => {
  const { stdin, ask, asking } = terminal();
  const line = ask();
  const interrupts = Promise.withResolvers<void>();
  const sent: unknown[] = [];
  const kill = vi.spyOn(process, "kill").mockImplementation((...signal) => {
    sent.push(signal);
    interrupts.resolve();
    return true;
  });
  stdin.write(`abc${pasted("d\u0003")}`);
  await interrupts.promise.finally(() => kill.mockRestore());
  expect(sent).toEqual([[0, "SIGINT"]]);
  const answered = await Promise.race([line, new Promise((resolve) => setImmediate(resolve, "open"))]);
  expect(answered).toBe("open");
  asking.abort();
  expect(await line).toBeNull();
});

test("I3: what was typed beyond the line is the next answer", async () => {
  const { stdin, ask } = terminal();
  const first = ask();
  stdin.write(`1\r${pasted("a\rb")}\rlast`);
  expect(await first).toBe("1");
  expect(await ask()).toBe("a\nb");
  const third = ask();
  stdin.write("\n");
  expect(await third).toBe("last");
});

test("I4: what is written meanwhile stands above what was typed so far", async () => {
  const { stdin, ask, meanwhile, shown } = terminal();
  const line = ask({ above: "? it\n" });
  stdin.write("ye");
  await expect.poll(shown).toContain("ye");
  meanwhile("news\n");
  stdin.write("s");
  await expect.poll(shown).toMatch(/s$/);
  const screen = new MiniTerminal(20);
  screen.write(shown());
  expect(screen.text()).toEqual(["? it", "news", "> yes"]);
  stdin.write("\r");
  expect(await line).toBe("yes");
});

test("I4: above a line of several rows, too, and above one that is not seen", async () => {
  const seen = terminal(60);
  const line = seen.ask();
  seen.stdin.write(`${"x".repeat(99)}y`);
  await expect.poll(seen.shown).toContain("y");
  seen.meanwhile("news\n");
  expect(seen.shown()).toContain("\u001b[1A\r\u001b[Jnews\n");
  seen.stdin.write("\r");
  expect(await line).toBe(`${"x".repeat(99)}y`);

  const unseen = terminal();
  const secret = unseen.ask({ hidden: true, above: "? key\n" });
  unseen.stdin.write("hush");
  unseen.meanwhile("news\n");
  unseen.stdin.write("\r");
  expect(await secret).toBe("hush");
  expect(unseen.shown()).toBe("? key\n> \r\u001b[Jnews\n> \n");
});
