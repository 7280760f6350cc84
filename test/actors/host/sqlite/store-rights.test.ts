/** Covers I1 and I2. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asOrdinary, giveToOrdinary, importing, isRoot, noOrdinary, openAll } from "../../../support/ordinary-user.ts";

let root: string;
let home: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-rights-"));
  chmodSync(root, 0o755);
  home = join(root, "home");
  file = join(home, "state", "troupe.db");
  mkdirSync(join(home, "state", "owners"), { recursive: true, mode: 0o700 });
  giveToOrdinary(home);
});
afterEach(() => {
  openAll(root);
  rmSync(root, { recursive: true });
});

/** What opening the store says, and a look at it beforehand. */
function said(at = file): string {
  const script = `
    const { closedStore, openStore } = await import(${importing("actors/host/sqlite/store-folder.ts")});
    const { Store } = await import(${importing("actors/host/sqlite/store.ts")});
    const file = ${JSON.stringify(at)};
    const seen = closedStore(file, { HOME: ${JSON.stringify(home)} })?.message ?? "opened";
    try {
      openStore(file, { HOME: ${JSON.stringify(home)} }, () => new Store(file, "normal")).close();
      console.log(seen);
    } catch (error) {
      console.log(error.message === seen ? seen : \`\${error.message}, but a look said: \${seen}\`);
    }`;
  const { stdout, stderr } = asOrdinary(["--input-type=module", "--eval", script], { HOME: home });
  return stdout.trim() || stderr;
}

describe.skipIf(noOrdinary !== null)(
  `a store that may not be used${noOrdinary === null ? "" : ` (${noOrdinary})`}`,
  () => {
    test.each([
      ["state/troupe.db", 0o400, "rw", 0o600],
      ["state/troupe.db-bell", 0o000, "rw", 0o600],
      ["state/owners", 0o500, "rwx", 0o700],
      ["state", 0o500, "rwx", 0o700],
      ["state", 0o000, "rwx", 0o700],
      ["", 0o600, "rwx", 0o700],
    ])("says which place is wrong, and can be used as soon as that is mended: %s %o", (name, mode, rights, before) => {
      expect(said()).toBe("opened");
      const path = join(home, name).replace(/\/$/, "");
      chmodSync(path, mode);
      const wrong = `${path} is yours, and its rights do not let you use it: chmod u+${rights} ${path}`;
      expect(said()).toBe(`cannot use the store ${file}: ${wrong}`);
      chmodSync(path, before);
      expect(said()).toBe("opened");
      expect(existsSync(`${file}-shm`)).toBe(false);
    });

    test("names the folder that lets nothing be made in it", () => {
      mkdirSync(join(home, "closed"));
      giveToOrdinary(home);
      chmodSync(join(home, "closed"), 0o500);
      const at = join(home, "closed", "a", "b", "troupe.db");
      expect(said(at)).toContain(`${join(home, "closed")} is yours, and its rights do not let you use it: chmod u+rwx`);
    });

    test.skipIf(!isRoot)("says whose it is; how to get it back, only of root's in the user's home", () => {
      const who = asOrdinary(["--print", "try{os.userInfo().username}catch{'uid-65534'}"], {}).stdout.trim();
      rmSync(join(home, "state"), { recursive: true });
      mkdirSync(join(home, "state"), { mode: 0o700 });
      const roots = "belongs to another user (root), and you may not use it";
      const elsewhere = "set TROUPE_HOME to a folder that can be written";
      const back = `sudo chown -R ${who} ${join(home, "state")} gives it back, or ${elsewhere}`;
      expect(said()).toBe(`cannot use the store ${file}: ${join(home, "state")} ${roots}: ${back}`);
      mkdirSync(join(root, "other"), { mode: 0o700 });
      const at = join(root, "other", "troupe.db");
      expect(said(at)).toBe(`cannot use the store ${at}: ${join(root, "other")} ${roots}: ${elsewhere}`);
    });

    test.skipIf(!isRoot)("also of one file that a run with sudo has left", () => {
      expect(said()).toBe("opened");
      writeFileSync(`${file}-wal`, "", { mode: 0o600 });
      expect(said()).toContain(`${file}-wal belongs to another user (root)`);
    });
  },
);
