/** Where the program of a provider is looked for. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkPrograms } from "../../../actors/facade/checkup/check-agents.ts";
import { closedPlaceOf, placeOf } from "../../../actors/preflight/installed.ts";

function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-installed-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const program = join(root, "bin", "claude");
  mkdirSync(join(root, "bin"));
  writeFileSync(program, "");
  chmodSync(program, 0o755);
  return { root, program };
}

// Where this runs as root no folder is closed; a link to itself is refused to everybody.
test("an entry of PATH that cannot be searched is passed over", () => {
  const { root, program } = place();
  const closed = join(root, "closed");
  mkdirSync(closed, { mode: 0o000 });
  symlinkSync("loop", join(root, "loop"));
  const odd = [closed, join(root, "loop"), program, join(root, "none")];
  expect(placeOf("claude", [...odd, join(root, "bin")].join(delimiter))).toEqual({ path: program });
  expect(placeOf("claude", odd.join(delimiter))).toBe("nowhere");
  expect(placeOf(join(root, "loop", "claude"), "")).toBe("nowhere");
});

test("a folder of the program's name, and a file that may not be executed, are none", () => {
  const { root, program } = place();
  mkdirSync(join(root, "other", "claude"), { recursive: true });
  chmodSync(program, 0o644);
  expect(placeOf("claude", [join(root, "other"), join(root, "bin")].join(delimiter))).toBe("nowhere");
});

test("of a program that is nowhere, the file that may not be executed is named", async () => {
  const { root, program } = place();
  const path = ["bin", join(root, "none"), root, join(root, "bin")].join(delimiter);
  expect(closedPlaceOf("none", path)).toBe(null);
  chmodSync(program, 0o644);
  expect([closedPlaceOf("claude", path), closedPlaceOf(program, "")]).toEqual([program, program]);
  const [claude] = await checkPrograms({ HOME: root, PATH: join(root, "bin") });
  expect(claude).toMatchObject({
    ...{ state: "warning", says: `${program} is there and may not be executed`, next: `chmod +x ${program}` },
    facts: { installed: false, path: program },
  });
});
