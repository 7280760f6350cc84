/** Programs with another work that run some of their words: where a value must be a plain word, and where it may be any. */
import { describe, expect, it } from "vitest";
import { refusal } from "./support.ts";

const X = "{{.inputs.x}}";
const TEXT = 'Fix `the build` of $(x); it\'s "broken"';

const code = [
  `ssh -o ProxyCommand="nc ${X} 22" host`,
  `ssh -4oProxyCommand="${X}" host`,
  `ssh -o "LocalCommand ${X}" host`,
  `ssh host -o "${X}"`,
  `scp -o ProxyCommand="${X}" a host:b`,
  `sftp -o ProxyCommand="${X}" host`,
  `sftp host <<EOF\nput ${X}\nEOF`,
  `rsync -e "ssh -p ${X}" a b`,
  `rsync -av a b -e "${X}"`,
  `rsync -ave"${X}" a b`,
  `rsync --rsh="${X}" a b`,
  `rsync --rsync-path "${X}" a b`,
  `git -c core.pager="${X}" log`,
  `git -C d -c core.sshCommand="${X}" fetch`,
  `git -c alias.a="!${X}" a`,
  `git -c credential.helper="${X}" fetch`,
  `git -c filter.a.clean="${X}" add .`,
  `git -c "${X}" log`,
  `git clone --config core.gitProxy="${X}" url`,
  `git config --global alias.a "!${X}"`,
  `git config core.editor "${X}"`,
  `git rebase --exec "make ${X}" main`,
  `git rebase main -x "${X}"`,
  `git rebase --exec="${X}"`,
  `git rebase -ix"${X}"`,
  `git difftool --extcmd="${X}"`,
  `git push --exec="${X}" a`,
  `git filter-branch --msg-filter "${X}"`,
  `git filter-repo --message-callback "${X}"`,
  `git submodule foreach --recursive "git checkout ${X}"`,
  `git submodule foreach ${X}`,
  `git bisect run ${X}`,
  `git bisect run sh -c "${X}"`,
  `git ls-remote --upload-pack="${X}" a`,
  `git clone --upload-pack "${X}" a`,
  `git push --receive-pack="${X}" a`,
  `tar -I "zstd ${X}" -cf a b`,
  `tar -cf a b -I "${X}"`,
  `tar -cI"${X}" -f a b`,
  `tar --use-compress-program="${X}" -cf a b`,
  `tar -xf a --to-command="${X}"`,
  `tar -cf a b --checkpoint=1 --checkpoint-action=exec="${X}"`,
  `sudo gtar --info-script "${X}" -cf a b`,
  `make --eval="${X}"`,
  `make --eval "A=1" ${X}`,
  `make ${X}`,
  `make build-"${X}" -j4`,
  `sudo make A="${X}"`,
  `timeout 5 make "${X}"`,
  `make -f - <<EOF\na: ${X}\nEOF`,
  `echo "${X}" | make -f- a`,
  `echo a | xargs make "${X}"`,
  `tmux new -d "${X}"`,
  `tmux send-keys -t a "${X}" Enter`,
  `tmux display-message -p "${X}"`,
  `screen -S a -X stuff "${X}"`,
  `ls | entr -s "${X}"`,
  `hyperfine -w 3 "${X}"`,
  `mispipe "${X}" b`,
  `npm exec -c "${X}"`,
  `npm exec --call="${X}"`,
  `npx -c "${X}"`,
  `sg docker -c "${X}"`,
  `adb shell ls "${X}"`,
  `gcloud compute ssh a --command="ls ${X}"`,
  `split -l 5 f --filter="${X}"`,
  `sort --compress-program "${X}" f`,
  `socat - EXEC:"${X}"`,
  `strace -o "${X}" ls`,
  `strace -fo"${X}" ls`,
  `vim -c 1 -c "${X}" f`,
  `vim f -c "${X}"`,
  `ex -s f <<EOF\n${X}\nEOF`,
  `emacs --batch f --eval "${X}"`,
  `gdb -batch -ex "a" -ex "${X}" a`,
  `gdb a <<EOF\n${X}\nEOF`,
  `lldb -o "${X}" a`,
  `psql -d a -c "select '${X}'"`,
  `psql -qc"${X}"`,
  `psql --command="${X}"`,
  `psql -d a <<EOF\nselect '${X}'\nEOF`,
  `mysql -u a -e "${X}"`,
  `mysql -Ne"${X}" b`,
  `mysql b --execute="${X}"`,
  `echo "${X}" | mysql b`,
  `sqlite3 b "select '${X}'"`,
  `sqlite3 -csv b .tables "${X}"`,
  `sqlite3 -cmd "${X}" b`,
  `sqlite3 b -csv <<EOF\n${X}\nEOF`,
  `echo "${X}" | xargs sqlite3 b`,
  `duckdb -c "${X}"`,
  `mongosh a --eval "${X}"`,
  `dc -e "${X}"`,
  `dc -e"${X}"`,
  `echo "${X}" | dc`,
  `m4 -D A="${X}" f`,
  `m4 -DA="${X}" f`,
  `m4 <<EOF\n${X}\nEOF`,
  `(crontab -l; echo "5 * * * * ${X}") | crontab -`,
  `ed -s f <<EOF\na\n${X}\n.\nw\nEOF`,
];
const free = [
  `ssh -o User="${X}" -o "IdentityFile=${X}" -i "${X}" host ls`,
  `scp -P ${X} "${X}" host:dir`,
  `rsync -av --exclude="${X}" "${X}" b`,
  `git commit -m "${X}"`,
  `git commit -m "${X}" -c HEAD`,
  `git -c user.name="${X}" -c user.email=${X} commit`,
  `git -C "${X}" -c user.name=a log --grep "${X}"`,
  `git switch -c "${X}"`,
  `git push -u origin "${X}"`,
  `git clone -b "${X}" --depth 1 "${X}" d`,
  `git clean -fdx "${X}"`,
  `git cherry-pick -x "${X}"`,
  `git rebase "${X}"`,
  `git config --global user.name "${X}"`,
  `git submodule foreach git checkout "${X}"`,
  `git bisect run "${X}"`,
  `git bisect run ./test "${X}"`,
  `tar -czf "${X}" -C "${X}" --exclude="${X}" "${X}"`,
  `tar -xf "${X}"`,
  `make -C "${X}" -f "${X}" all`,
  `X="${X}" make all`,
  `ls | entr -r echo "${X}"`,
  `npm test -- -c "${X}" ${X}`,
  `npm version patch -m "${X}"`,
  `npx -y eslint -c "${X}"`,
  `hyperfine --export-json "${X}" ls`,
  `sort -t "${X}" f`,
  `split -l ${X} "${X}"`,
  `strace -e "${X}" ls "${X}"`,
  `vim -S f "${X}"`,
  `emacs --batch "${X}"`,
  `gdb -p ${X}`,
  `psql -h ${X} -f f -v x="${X}"`,
  `psql -f f <<< "${X}"`,
  `psql --file=f <<< "${X}"`,
  `psql -v x="${X}" <<'EOF'\nselect :'x'\nEOF`,
  `echo "${X}" | psql -c 'copy a from stdin'`,
  `mysql -u "${X}" -p"${X}" b < f`,
  `sqlite3 "${X}" .dump`,
  `echo "${X}" | sqlite3 b '.import /dev/stdin a'`,
  `bc <<< "${X}"`,
  `jq "${X}" f`,
  `m4 f <<< "${X}"`,
  `crontab -l | grep "${X}"`,
  // Their names are words as others where no command begins.
  `apt-get install git make tar "${X}"`,
  `sudo apt-get install make "${X}"`,
  `find . -name make -o -name "${X}"`,
  `gh pr create --title make --body "${X}"`,
];

describe("a value in what a tool runs", () => {
  it.each(code)("must be a plain word: %s", (source) => {
    expect(refusal(source, TEXT)).toContain("must be a plain word");
    expect(refusal(source, "v1.2-rc_3/x@y:z,+%")).toBe("");
  });

  it("is refused with what to write instead, and why", () => {
    const refused = (source: string): string => refusal(source, "a b");
    expect(refused(`git -c core.pager="${X}" log`)).toContain(
      "git reads it as code; it is a text of 3 characters. Write a fixed text there, or an input that takes plain words",
    );
    expect(refused(`psql -c "${X}"`)).toContain(`Write psql -v x="{{…}}", and :'x' in a quoted heredoc; {{… | raw}}`);
    expect(refused(`strace -o "${X}" ls`)).toContain("because strace runs the name of a file that begins with | or !");
    expect(refused(`make ${X}`)).toContain("Write an environment variable that the recipe reads");
  });

  it("may be a word made by escape where a shell reads it, and nowhere else", () => {
    const escaped = (source: string): string => refusal(source.replace("X", "{{.inputs.x | escape}}"), "a'b");
    for (const source of ['git rebase -x "make X"', 'split --filter "gzip X"', 'npx -c "ls X"'])
      expect(escaped(source)).toBe("");
    for (const source of ['tmux new "X"', 'git -c alias.a="!X" a', 'tar -I "X" -cf a', 'make "X"'])
      expect(escaped(source)).toContain("must be a plain word");
  });
});

it.each(free)("any text is allowed in: %s", (source) => {
  expect(refusal(source, TEXT)).toBe("");
});
