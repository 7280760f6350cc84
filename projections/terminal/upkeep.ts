/** What `troupe gc` did, or would do. */
export type CollectedView = {
  sessions: number;
  runs: number;
  kept: number;
  bytes: { before: number; after: number };
  free: number;
};
/** Less free room than this is not worth a word. */
const WORTH_A_WORD = 1024 ** 2;

export function collectedLines({ sessions, runs, kept, bytes, free }: CollectedView, dryRun: boolean): string[] {
  if (sessions === 0) return [`Nothing is to be removed: ${counted(kept, "run")}, ${megabytes(bytes.before)}.`];
  const deed = dryRun ? "Would remove" : "Removed";
  const size = dryRun ? `about ${megabytes(bytes.after)}` : megabytes(bytes.after);
  return [
    `${deed} ${counted(runs, "run")} of ${counted(sessions, "session")}. ${counted(kept, "run")} ${kept === 1 ? "stays" : "stay"}, ${size} of ${megabytes(bytes.before)}.`,
    ...(free > WORTH_A_WORD
      ? [`${megabytes(free)} of the file are free for new runs: this store's form gives no room back to the disk.`]
      : []),
  ];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
