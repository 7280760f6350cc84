/** Which word of a command a program starts that starts others. */
import { expect, test } from "vitest";
import { startedAt } from "../../../../machines/workflow/template/shell-starters.ts";

/** The words that are started, by their text. */
const started = (command: string): (string | undefined)[] => {
  const words = command.split(" ");
  return startedAt(words).map((index) => words[index]);
};

test.each([
  ["sudo P a", ["P"]],
  ["sudo -u bob -n P a", ["P"]],
  ["sudo -Eu bob --host h --preserve-env P", ["P"]],
  ["/usr/bin/sudo -- P", ["P"]],
  ["a=1 sudo b=2 P", ["P"]],
  ["doas -u bob P", ["P"]],
  ["timeout 5 P 6", ["P"]],
  ["timeout --foreground -k 1 -s KILL 5 P", ["P"]],
  ["gtimeout --kill-after=1 5 P", ["P"]],
  ["nice P", ["P"]],
  ["nice -n 5 P", ["P"]],
  ["nice -5 P", ["P"]],
  ["ionice -c 2 -n 0 P", ["P"]],
  ["stdbuf -o L -e0 P", ["P"]],
  ["strace -f -e open -o log P", ["P"]],
  ["time -f x P", ["P"]],
  ["exec -a name P", ["P"]],
  ["env -u A -i B=1 P", ["P"]],
  ["xargs -0 -n 1 -P4 -I {} P {}", ["P"]],
  ["xargs --max-args 3 P", ["P"]],
  ["chroot d P", ["P"]],
  ["taskset 1 P", ["P"]],
  ["flock -w 5 f P", ["P"]],
  ["nohup P", ["P"]],
  ["setsid P", ["P"]],
  ["sudo nice -n 5 timeout 9 P a", ["nice", "timeout", "P"]],
  ["find . -name a -exec P {} ;", ["P"]],
  ["find . -ok P {} ; -execdir Q {} +", ["P", "Q"]],
  ["sudo find . -okdir P", ["find", "P"]],
  ["fd -x P", ["P"]],
  ["fdfind --exec-batch P", ["P"]],
])("%s", (command, words) => {
  expect(started(command)).toEqual(words);
});

test.each(["", "echo sudo P", "a=1", "timeout 5", "sudo -u", "find . -exec", "find . -name P", "flock f", "sh -c P"])(
  "%j starts none",
  (command) => {
    expect(started(command)).toEqual([]);
  },
);
