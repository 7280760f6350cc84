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
  ["runuser -u bob -- P", ["P"]],
  ["pkexec --user bob P", ["P"]],
  ["gosu bob P", ["P"]],
  ["su-exec bob P", ["P"]],
  ["envdir d P", ["P"]],
  ["chrt -f 1 P", ["P"]],
  ["chrt -T 1 -d 0 P", ["P"]],
  ["perf stat -r 5 -e cycles P", ["P"]],
  ["perf record -g -- P", ["P"]],
  ["gdb -batch -ex run --args P a", ["P"]],
  ["-p P", ["P"]],
  ["setarch x86_64 -R P", ["P"]],
  ["unshare -rR d P", ["P"]],
  ["nsenter -m -t 1 P", ["P"]],
  ["setpriv --reuid 1 --regid 1 --clear-groups P", ["P"]],
  ["setpriv --groups 1 --euid 2 P", ["P"]],
  ["faketime -f t P", ["P"]],
  ["xvfb-run -a -s x P", ["P"]],
  ["systemd-run --user -p A=b --unit u P", ["P"]],
  ["systemd-cat -t a P", ["P"]],
  ["sshpass -p a ssh host", ["ssh"]],
  ["proxychains -q -f c P", ["P"]],
  ["proxychains4 P", ["P"]],
  ["caffeinate -di -t 5 P", ["P"]],
  ...[
    ...["command", "builtin", "busybox", "prlimit", "linux32", "linux64", "valgrind", "fakeroot", "eatmydata"],
    ...["dbus-run-session", "systemd-inhibit", "firejail", "torsocks", "torify", "unbuffer", "chronic", "entr"],
    ...["rlwrap", "tini", "dumb-init", "ccache"],
  ].map((name): [string, string[]] => [`${name} -a --b=c -- P d`, ["P"]]),
  ["git bisect run P", ["P"]],
  ["docker run --rm -it -e A=b -v c:d --name n image P a", ["P"]],
  ["podman exec -u 0 -w d box P", ["P"]],
  ["docker compose exec -T service P", ["P"]],
  ["docker run image sudo P", ["sudo", "P"]],
  ["kubectl exec -it pod -c a -- P", ["P"]],
  ["bwrap --ro-bind / / -- P", ["P"]],
  ["npx -y -p a P", ["P"]],
  ["uvx --from a P", ["P"]],
  ["npm exec --package a -- P", ["P"]],
  ["pnpm dlx P", ["P"]],
  ["uv run --with a P", ["P"]],
  ["poetry run P", ["P"]],
  ["conda run -n a P", ["P"]],
  ["bundle exec P", ["P"]],
  ["direnv exec d P", ["P"]],
  ["nix develop -c P", ["P"]],
])("%s", (command, words) => {
  expect(started(command)).toEqual(words);
});

test.each([
  ...["", "echo sudo P", "a=1", "timeout 5", "sudo -u", "find . -exec", "find . -name P", "flock f", "sh -c P"],
  ...["git bisect good P", "git commit -m P", "docker ps P", "docker run image", "kubectl get P", "npm run a -- P"],
  ...["npm install P", "uv add P", "poetry add P", "bundle install P", "perf report P", "gdb P", "nix build P"],
])("%j starts none", (command) => {
  expect(started(command)).toEqual([]);
});
