/** Covers I1 and I2. */
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { networkFileSystem } from "../../../../actors/host/sqlite/network-folder.ts";

const FUSE = 0x65735546;
const { dev } = statSync(tmpdir());
const device = `${(dev >>> 8) & 0xfff}:${(dev & 0xff) | ((dev >>> 12) & 0xfff00)}`;
const mounts = (name: string) => () =>
  [`22 27 0:0 / /elsewhere rw - ext4 none rw`, `30 1 ${device} / /here rw shared:1 - ${name} source rw`].join("\n");
const named = (type: number, name = "none") => networkFileSystem(tmpdir(), { type: () => type, mounts: mounts(name) });

test.skipIf(process.platform !== "linux")("network file systems are known by their number, local ones are none", () => {
  expect([0x6969, 0xff534d42, 0xfe534d42, 0x01021997].map((type) => named(type))).toEqual([
    "nfs",
    "cifs",
    "smb2",
    "9p",
  ]);
  expect([0xef53, 0x58465342, 0x9123683e, 0x794c7630, 0x01021994].map((type) => named(type))).toEqual(
    new Array(5).fill(null),
  );
});

test.skipIf(process.platform !== "linux")(
  "a program's file system counts as a network's, save the known local ones",
  () => {
    expect(["fuse.sshfs", "virtiofs", "fuse.rclone", "fuse"].map((name) => named(FUSE, name))).toEqual([
      "fuse.sshfs",
      "virtiofs",
      "fuse.rclone",
      "fuse",
    ]);
    expect(["fuseblk", "fuse.fuse-overlayfs", "fuse.gocryptfs"].map((name) => named(FUSE, name))).toEqual([
      null,
      null,
      null,
    ]);
    expect(networkFileSystem(tmpdir(), { type: () => FUSE, mounts: () => "" })).toBe("fuse");
  },
);

test("this machine's own folder is local", () => {
  expect(networkFileSystem(tmpdir())).toBeNull();
});
