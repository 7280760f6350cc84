import { mkdtempSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { codeOfErrno, codeOfSqlite } from "../../../actors/errors/system.ts";
import { troupeError } from "../../../actors/errors/troupe-error.ts";
import { plain } from "../../../actors/host/workers.ts";

/** What SQLite throws at a statement. */
function thrown(sql: string): unknown {
  const db = new DatabaseSync(":memory:");
  try {
    db.exec(sql);
  } catch (error) {
    return error;
  } finally {
    db.close();
  }
  throw new Error("it threw nothing");
}

test("a store whose tables are not ours is damaged; a statement of ours that is wrong is a fault of ours", () => {
  expect(codeOfSqlite(thrown("select 1 from timer"))).toBe("SYSTEM.STORE.DAMAGED");
  expect(codeOfSqlite(thrown("create table timer(a); select b from timer"))).toBe("SYSTEM.STORE.DAMAGED");
  expect(codeOfSqlite(thrown("selekt"))).toBeNull();
});

test.each([
  [5, "SYSTEM.STORE.BUSY"],
  [261, "SYSTEM.STORE.BUSY"], // SQLITE_BUSY_RECOVERY
  [778, "SYSTEM.IO.WRITE_FAILED"], // SQLITE_IOERR_WRITE
  [26, "SYSTEM.STORE.DAMAGED"],
  [3, "SYSTEM.STORE.UNUSABLE"],
  [8, "SYSTEM.STORE.UNUSABLE"],
  [1544, "SYSTEM.STORE.UNUSABLE"], // SQLITE_READONLY_DIRECTORY
  [14, "SYSTEM.STORE.UNUSABLE"],
  [2, null],
])("number %i of SQLite", (errcode, code) => {
  expect(codeOfSqlite({ errcode })).toBe(code);
});

test.each([null, "no such table: a", { errcode: "5" }, {}])("%j is not SQLite's", (error) => {
  expect(codeOfSqlite(error)).toBeNull();
});

test("what the rights of a file or of the store refuse is no fault of ours, and says what to do", () => {
  const refused = Object.assign(new Error("EACCES: permission denied, mkdir '/x/y'"), { code: "EACCES" });
  expect(troupeError(refused)).toMatchObject({ code: "SYSTEM.IO.PERMISSION_DENIED", message: refused.message });
  expect(codeOfErrno("EPERM")).toBe("SYSTEM.IO.PERMISSION_DENIED");
  const readOnly = Object.assign(new Error("attempt to write a readonly database"), { errcode: 8 });
  expect(troupeError(readOnly).message).toBe(
    "the store cannot be used: look at the rights of its files and of their folder (`troupe doctor` names it), or set TROUPE_HOME to a folder that can be written: attempt to write a readonly database",
  );
});

test("where no more files can be opened, the limit is named, once", () => {
  const full = Object.assign(new Error("EMFILE: too many open files, scandir '/x'"), { code: "EMFILE" });
  const known = troupeError(full);
  const message = `${full.message}: raise the limit of open files (\`ulimit -n\`), or do less at once`;
  expect(known).toMatchObject({ code: "SYSTEM.IO.TOO_MANY_FILES", message });
  expect(troupeError({ code: known.code, message: known.message }).message).toBe(message);
});

test.each([
  ["ENOSPC", "max_user_watches"],
  ["EMFILE", "max_user_instances"],
])("where nothing more can be watched (%s), the limit of watches is named", (code, limit) => {
  const refused = Object.assign(new Error(`${code}: no more, watch '/x'`), { code, syscall: "watch" });
  const { code: known, message } = troupeError(refused);
  expect(known).toBe("SYSTEM.IO.TOO_MANY_FILES");
  expect(message).toMatch(new RegExp(`^${code}: no more, watch '/x': raise the limit.*sysctl fs\\.inotify\\.${limit}`));
  expect(troupeError(Object.assign(refused, { syscall: "open" })).message).not.toContain("inotify");
});

test("where no folder for temporary files can be made, TMPDIR is named; of another folder it is not", async () => {
  const thrownAt = async (path: string, sync: boolean): Promise<unknown> => {
    try {
      return sync ? mkdtempSync(path) : await mkdtemp(path);
    } catch (error) {
      return error;
    }
  };
  for (const name of ["troupe-", "troupe-agent-17-", "troupe-open-"]) {
    for (const sync of [true, false]) {
      const error = await thrownAt(`/no/such/${name}`, sync);
      const { code, message } = troupeError(error);
      expect(code).toBe("SYSTEM.IO.WRITE_FAILED");
      expect(message).toMatch(/temporary files: ENOENT.*\. Set TMPDIR to a folder that can be written$/);
      expect(plain(error)).toEqual({ code, message });
    }
  }
  expect(troupeError(await thrownAt("/no/such/troupe.new-", true)).message).not.toContain("TMPDIR");
});
