/**
 * Whether a folder lies on another machine. The store cannot: its processes share memory, and a lock must be seen by
 * all of them and end with its holder.
 *
 * I1. What the system does not report is not guessed: only Linux names its file systems.
 * I2. A file system of a program (FUSE) counts as another machine's, save those that are known to stay on this one.
 */
import { readFileSync, statfsSync, statSync } from "node:fs";

/** File systems by the number that the kernel gives them. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, "nfs"],
  [0x517b, "smb"],
  [0xff534d42, "cifs"],
  [0xfe534d42, "smb2"],
  [0x01021997, "9p"],
  [0x00c36400, "ceph"],
  [0x5346414f, "afs"],
  [0x6b414653, "afs"],
  [0x73757245, "coda"],
  [0x0bd00bd0, "lustre"],
  [0x47504653, "gpfs"],
  [0xaad7aaea, "panfs"],
  [0x20030528, "orangefs"],
  [0x01161970, "gfs2"],
  [0x7461636f, "ocfs2"],
]);
const FUSE = 0x65735546;
/** Local ones: those over a disk, and layers over folders. */
const LOCAL_FUSE =
  /^(fuseblk|fuse\.(bindfs|cryfs|encfs|fuse-overlayfs|gocryptfs|mergerfs|mhddfs|ntfs-3g|securefs|unionfs.*))$/;

export type Look = {
  /** The number of the folder's file system. */
  type: (folder: string) => number;
  /** The text of `/proc/self/mountinfo`. */
  mounts: () => string;
};
const SYSTEM: Look = {
  type: (folder) => statfsSync(folder).type,
  mounts: () => readFileSync("/proc/self/mountinfo", "utf8"),
};

/** The name of the network file system that a folder lies on, or null. Throws when the folder cannot be looked at. */
export function networkFileSystem(folder: string, look: Look = SYSTEM): string | null {
  if (process.platform !== "linux") return null; // I1
  const type = look.type(folder);
  if (type !== FUSE) return NETWORK.get(type) ?? null;
  const name = nameOf(statSync(folder).dev, look.mounts());
  return LOCAL_FUSE.test(name) ? null : name;
}

/** `mounts`: lines "id parent major:minor root place options … - name source options". */
function nameOf(device: number, mounts: string): string {
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  const line = mounts.split("\n").find((text) => text.split(" ")[2] === `${major}:${minor}`);
  return line?.split(" - ")[1]?.split(" ")[0] ?? "fuse";
}
