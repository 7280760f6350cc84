/**
 * What a tree's folder, branch and hidden reference are called.
 *
 * I1. One step of one run has one name, and no two have the same; none is a beginning of another, as folders are.
 */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";

const MOST = 100;

/** A name that git and every file system take. */
export function slugOf(text: string): string {
  const plain = text.replaceAll("/", "+").replace(/[^A-Za-z0-9_+-]/g, "-");
  const isSame = plain === text.replaceAll("/", "+") && plain.length <= MOST && !plain.startsWith("-");
  if (isSame) return plain;
  return `${plain.replace(/^-+/, "").slice(0, MOST)}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}

/** The folder beside a repository in which its trees stand. */
export const treesFolder = (repository: string): string =>
  join(dirname(repository), `${basename(repository)}.troupe`, "worktrees");

export const placesOf = (folder: string, run: string, step: string) => {
  const [ofRun, ofStep] = [slugOf(run), slugOf(step)];
  return {
    path: join(folder, ofRun, ofStep),
    branch: `troupe/${ofRun}/${ofStep}`,
    ref: `refs/troupe/base/${ofRun}/${ofStep}`,
  };
};
